/** Tests of the resources that clients may cache: the index, the OpenAPI document, the tax rules, and the page. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Answer } from '../../src/service/answer.ts';
import { serviceOf } from '../../src/service/service.ts';
import { receive } from '../helpers/client.ts';
import { errorCode, exchange, listen, sendJson, serviceOptions } from '../helpers/fixture.ts';
import { pageFiles, readText } from '../helpers/repository.ts';

const RULES = '/api/v1/tax/rules';
/** The paths of the files of the page, without its document. */
const FILES = pageFiles()
  .filter((name) => !name.startsWith('index'))
  .map((name) => `/page/${name}`);

/** The answer of the service with a page to a browser, and its body as a text. */
function pageAnswer(target: string, page = ''): Answer & { text: string } {
  const head = { method: 'GET', target, headers: { accept: 'text/html' } };
  const routed = serviceOf(serviceOptions({ page })).route(head);
  assert.ok(routed.kind === 'answer');
  return { ...routed.answer, text: String(routed.answer.body) };
}

const DOCUMENTS = ['/', '/openapi.json', RULES, `${RULES}?period=2026-08`];

test('the page in one file is that of the build, and a browser saves it', () => {
  const { text: body, headers } = pageAnswer('/page/calculators.html');
  assert.equal(body, readText('dist/calculators.html'));
  assert.ok(headers.includes('attachment; filename="calculators.html"'));
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="(.*?)">/.exec(body)!;
  for (const tag of ['script', 'style']) {
    const [, text = ''] = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(body)!;
    const hash = createHash('sha256').update(text).digest('base64');
    assert.ok(policy.includes(`${tag}-src 'sha256-${hash}'`), tag);
  }
});

test('answers 304 to a matching ETag, and HEAD without the body', async (context) => {
  const { url, port } = await listen(context, { page: '' });
  assert.ok(FILES.length >= 3);
  for (const path of [...DOCUMENTS, ...FILES]) {
    const whole = await fetch(url + path);
    const body = Buffer.from(await whole.arrayBuffer());
    const tag = whole.headers.get('etag') ?? '';
    assert.match(tag, /^"[\da-z]{14}"$/, path);
    assert.deepEqual([whole.status, whole.headers.get('cache-control')], [200, 'no-cache'], path);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await fetch(url + path, { headers: { 'if-none-match': known } });
      assert.deepEqual(
        [again.status, await again.text(), again.headers.get('etag')],
        [304, '', tag],
        `${path} ${known}`,
      );
      assert.equal(again.headers.get('content-type'), null);
    }
    const other = await fetch(url + path, { headers: { 'if-none-match': '"other"' } });
    assert.deepEqual([other.status, Buffer.from(await other.arrayBuffer())], [200, body]);
    const request = `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const head = await exchange(port, request).catch((error: Error) => error.message);
    assert.ok(typeof head !== 'string', String(head));
    assert.deepEqual(
      [
        head[0]?.status,
        head[0]?.headers['content-length'],
        head[0]?.headers['etag'],
        head[0]?.body,
      ],
      [200, String(body.length), tag, ''],
      path,
    );
    assert.equal((await fetch(url + path, { method: 'POST', body: '{}' })).status, 405);
  }
});

test('compresses documents for clients that accept gzip, once if they have no query', async (context) => {
  const compressed: (string | Uint8Array)[] = [];
  const gzip = (content: string | Uint8Array): Uint8Array => {
    compressed.push(content);
    return gzipSync(content);
  };
  const { url } = await listen(context, { page: '', gzip });
  const accepting = { 'accept-encoding': 'gzip, deflate, br' };
  for (const path of [...DOCUMENTS, ...FILES]) {
    const plain = await receive(url + path, {});
    const encoded = await receive(url + path, accepting);
    assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined], path);
    assert.deepEqual([encoded.status, encoded.headers['content-encoding']], [200, 'gzip'], path);
    assert.ok(gunzipSync(encoded.body).equals(plain.body), path);
    for (const { headers, body } of [plain, encoded]) {
      assert.match(String(headers.vary), /(?:^|, )Accept-Encoding$/, path);
      assert.equal(headers['content-length'], String(body.length), path);
    }
    const names = Object.keys(encoded.headers).filter((name) => name !== 'content-encoding');
    assert.deepEqual(names.sort(), Object.keys(plain.headers).sort(), path);

    const head = await receive(url + path, accepting, 'HEAD');
    assert.deepEqual([head.status, head.body.length], [200, 0], path);
    assert.deepEqual({ ...head.headers, date: '' }, { ...encoded.headers, date: '' }, path);
  }
  // GET and HEAD: the answer to a query is compressed for each.
  assert.equal(new Set(compressed).size, DOCUMENTS.length + FILES.length);
  assert.equal(compressed.length, DOCUMENTS.length + FILES.length + 1);
});

test('the compressed form of a document has an ETag of its own', async (context) => {
  const { url } = await listen(context, {
    page: '',
    gzip: gzipSync,
  });
  const accepting = { 'accept-encoding': 'gzip' };
  for (const path of [...DOCUMENTS, ...FILES]) {
    const plain = await receive(url + path, {});
    const encoded = await receive(url + path, accepting);
    const [plainTag, tag] = [String(plain.headers.etag), String(encoded.headers.etag)];
    assert.equal(tag, plainTag.replace(/"$/, '-gzip"'), path);

    const again = await receive(url + path, { ...accepting, 'if-none-match': tag });
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, tag], path);
    assert.equal(again.headers['content-encoding'], undefined, path);
    assert.equal(again.headers.vary, encoded.headers.vary, path);

    const other = await receive(url + path, { ...accepting, 'if-none-match': plainTag });
    assert.deepEqual([other.status, other.headers.etag], [200, tag], path);
    const plainOther = await receive(url + path, { 'if-none-match': tag });
    assert.deepEqual([plainOther.status, plainOther.headers.etag], [200, plainTag], path);
  }
});

test('selects the coding of a document by Accept-Encoding', async (context) => {
  const { url } = await listen(context, { gzip: gzipSync });
  const cases: readonly (readonly [header: string, coding: string | undefined])[] = [
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['br, gzip ; q=0.001', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip; q=0.000, *', undefined],
    ['gzip;q=x', undefined],
    ['br, deflate, identity', undefined],
    ['gzipped', undefined],
    [`${'br,'.repeat(49)}gzip`, 'gzip'],
    [`${'br,'.repeat(50)}gzip`, undefined],
  ];
  for (const [header, coding] of cases) {
    const { headers } = await receive(`${url}/openapi.json`, { 'accept-encoding': header });
    assert.equal(headers['content-encoding'], coding, header);
  }
});

test('compresses no answer of an operation, of a health check or of a failure', async (context) => {
  const { url } = await listen(context, { gzip: gzipSync });
  for (const path of ['/healthz', '/readyz', '/page/none', `${RULES}?period=1`]) {
    const { headers } = await receive(url + path, { 'accept-encoding': 'gzip' });
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined], path);
  }
  const headers = { 'accept-encoding': 'gzip' };
  const response = await sendJson(`${url}/api/v1/hash`, '{"text":""}', headers);
  assert.equal(response.headers.get('content-encoding'), null);
});

test('serves each file of the page with a media type and the strict policies', () => {
  for (const path of ['/', ...FILES]) {
    const { contentType, headers } = pageAnswer(path);
    const header = (name: string): string => String(headers[headers.indexOf(name) + 1]);
    assert.match(
      String(contentType),
      /^(?:(?:text|image)\/[\w+]+; charset=utf-8|image\/png)$/,
      path,
    );
    assert.match(
      header('Content-Security-Policy'),
      /^default-src 'none'; .*; connect-src 'none'; .*; trusted-types 'none'$/,
      path,
    );
    assert.equal(header('Referrer-Policy'), 'no-referrer', path);
    assert.equal(header('Cross-Origin-Opener-Policy'), 'same-origin', path);
  }
});

test('tells the page the salary month of requests without a period', () => {
  const { text: body } = pageAnswer('/', '2026-08');
  assert.match(body, /<meta name="tax-period" content="2026-08">/);
  assert.match(pageAnswer('/').text, /<meta name="tax-period" content="">/);
});

test('serves the page in the language of the query or of Accept-Language', async (context) => {
  const { url } = await listen(context, { page: '' });
  const cases: readonly (readonly [query: string, header: string | undefined, language: string])[] =
    [
      ['', undefined, 'en'],
      ['', '', 'en'],
      ['', 'vi', 'vi'],
      ['', 'vi-VN,vi;q=0.9,en;q=0.8', 'vi'],
      ['', 'en-US, vi', 'en'],
      ['', 'fr-CH, fr;q=0.9, en;q=0.2, VI;q=0.5', 'vi'],
      ['', 'fr, *;q=0.5', 'en'],
      ['', 'vi;q=0, en;q=0.1', 'en'],
      ['', 'vi;q=x', 'en'],
      [`?case=50th`, `${'fr,'.repeat(49)}vi`, 'vi'],
      [`?case=51st`, `${'fr,'.repeat(50)}vi`, 'en'],
      ['?lang=vi', 'en', 'vi'],
      ['?lang=en', 'vi', 'en'],
      ['?a=b&lang=vi', undefined, 'vi'],
      ['?lang=fr', 'vi', 'vi'],
    ];
  for (const [query, header, language] of cases) {
    const headers = {
      accept: 'text/html',
      ...(header !== undefined && { 'accept-language': header }),
    };
    const response = await fetch(`${url}/${query}`, { headers });
    const html = await response.text();
    const label = `${query} ${header}`;
    assert.equal(response.headers.get('content-language'), language, label);
    assert.equal(response.headers.get('vary'), 'Accept, Accept-Language, Accept-Encoding', label);
    assert.equal(/<html lang="(\w+)">/.exec(html)?.[1], language, label);
    assert.doesNotMatch(html, /[{}|]/, 'every text of the template is in one language');
  }
});

test('forbids caches to store calculations, and sends no ETag with them', async (context) => {
  const { url } = await listen(context);
  const response = await sendJson(`${url}/api/v1/hash`, '{"text":""}', { 'if-none-match': '*' });
  assert.deepEqual(
    [response.status, response.headers.get('cache-control'), response.headers.get('etag')],
    [200, 'no-store', null],
  );
  assert.equal((await fetch(`${url}/healthz`, { headers: { 'if-none-match': '*' } })).status, 200);
});

test('builds each document once, and the answer to a query for each request', async () => {
  const counts = new Map<string, number>();
  const operations = serviceOptions().operations.map((operation) => ({
    ...operation,
    run: (...given: Parameters<typeof operation.run>) => {
      counts.set(operation.path, (counts.get(operation.path) ?? 0) + 1);
      return operation.run(...given);
    },
  }));
  const service = serviceOf(serviceOptions({ operations }));
  const get = async (target: string): Promise<string> =>
    String((await service.answer({ method: 'GET', target, headers: {} }, Buffer.alloc(0))).body);
  for (let round = 0; round < 3; round += 1) {
    assert.notEqual(await get(RULES), await get(`${RULES}?period=2026-08`));
    assert.equal(errorCode(await get(`${RULES}?period=1`)), 'validation_failed');
  }
  assert.equal(counts.get(RULES), 1 + 3 + 3);
});

test('serves the page to browsers and the index to programs at /', async (context) => {
  const { url } = await listen(context, { page: '' });
  const browser = await fetch(url, {
    headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
  });
  assert.equal(browser.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(
    browser.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; /,
  );
  assert.match(await browser.text(), /^<!doctype html>/i);
  const program = await fetch(url);
  const { data } = (await program.json()) as {
    data: { operations: { path: string }[]; links: Record<string, string> };
  };
  assert.equal(program.headers.get('vary'), 'Accept, Accept-Encoding');
  for (const { path } of data.operations)
    assert.notEqual((await fetch(url + path)).status, 404, path);
  for (const path of Object.values(data.links))
    assert.equal((await fetch(url + path)).status, 200, path);

  const { url: bare } = await listen(context);
  const html = { headers: { accept: 'text/html' } };
  assert.equal(
    (await fetch(bare, html)).headers.get('content-type'),
    'application/json; charset=utf-8',
  );
});

test('the index links to the document of the API exactly where the service has it', async (context) => {
  const { url } = await listen(context, { page: '' });
  const { url: bare } = await listen(context);
  for (const [origin, target] of [
    [url, '/page/api.md'],
    [bare, undefined],
  ]) {
    const { data } = (await (await fetch(`${origin}/`)).json()) as {
      data: { links: Record<string, string> };
    };
    assert.equal(data.links['documentation'], target);
  }
  assert.match(await (await fetch(`${url}/page/api.md`)).text(), /^# The API\n/);
});

test('validates the query of the rules like a body', async (context) => {
  const { url } = await listen(context);
  for (const [query, fields] of [
    ['?period=2014-12', ['period']],
    ['?period=', ['period']],
    ['?period=2026-08&period=2026-08', ['period']],
    ['?perod=2026-08', ['perod']],
    ['?__proto__=1&period=%00', ['period', '__proto__']],
  ] as const) {
    const response = await fetch(url + RULES + query);
    const body = await response.text();
    assert.deepEqual([response.status, errorCode(body)], [422, 'validation_failed'], query);
    const { error } = JSON.parse(body) as { error: { details: { field: string }[] } };
    assert.deepEqual(
      error.details.map(({ field }) => field),
      fields,
      query,
    );
  }
  for (const query of ['?', '?period=2026-08', '?period=2026%2D08']) {
    assert.equal((await fetch(url + RULES + query)).status, 200, query);
  }
});
