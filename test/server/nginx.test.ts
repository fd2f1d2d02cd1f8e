import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { missing } from '../helpers/child.ts';
import { freePort, run } from '../helpers/command.ts';
import { fileIn, folderOf, startProgram, testRecipe } from '../helpers/proxy.ts';
import { onlyThorough, readText } from '../helpers/repository.ts';
import { once, until } from '../helpers/until.ts';

/** The files in which nginx keeps large bodies: those in its own folder belong to root. */
const temporaryPaths = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};\n`)
    .join('');

testRecipe({
  name: 'nginx',
  start(recipe, folder) {
    const block = `http {\naccess_log off;\n${temporaryPaths(folder)}${recipe}}\n`;
    // Started by root, nginx would run its workers as another user, who cannot open the folder.
    const user = process.getuid?.() === 0 ? 'user root;\n' : '';
    const file = fileIn(
      folder,
      'nginx.conf',
      `${user}daemon off;\npid ${folder}/pid;\nevents {}\n${block}`,
    );
    return startProgram('nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', file);
  },
});

const PACKAGE = '/etc/nginx';
const SITE = 'sites-available/default';
/** The default site of the packages of nginx.org, shortened. */
const SITE_OF_NGINX_ORG = `server {
  listen       80;
  server_name  localhost;
  location / {
    return 200 "Welcome to nginx!";
  }
}
`;

/** The text of a configuration with another port, and without the addresses of IPv6. */
function movedTo(port: number, configuration: string): string {
  return configuration
    .replaceAll(/^\s*listen \[::\].*\n/gm, '')
    .replaceAll(/^(\s*listen\s+)80\b/gm, `$1127.0.0.1:${port}`);
}

/** Copies the configuration of the package into a folder, with a default site and the recipe beside it. */
function installIn(folder: string, port: number, site: string, instance: number): string {
  cpSync(PACKAGE, folder, { recursive: true, dereference: true });
  rmSync(join(folder, 'sites-enabled'), { recursive: true });
  const recipe = readText('.deploy/nginx.conf').replaceAll(
    /192\.0\.2\.\d+:8080/g,
    `127.0.0.1:${instance}`,
  );
  // Both are in the folder that the package includes; the name of the default site comes first, as in nginx.org's.
  writeFileSync(join(folder, 'conf.d/default.conf'), movedTo(port, site));
  writeFileSync(join(folder, 'conf.d/utility-calculation-service.conf'), movedTo(port, recipe));
  // The workers run as the user of the package.
  chmodSync(folder, 0o755);
  const main = readFileSync(join(PACKAGE, 'nginx.conf'), 'utf8')
    .replace(/^include .*modules-enabled.*$/m, '')
    .replaceAll(`${PACKAGE}/`, `${folder}/`)
    .replace('/run/nginx.pid', `${folder}/pid`)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replace('http {', `http {\n${temporaryPaths(folder)}`);
  return fileIn(folder, 'nginx.conf', main);
}

/** The answer to a request for a host. */
async function answerOf(port: number, host: string): Promise<string> {
  const headers = { Host: host };
  const request = http.get({ port, host: '127.0.0.1', path: '/', headers, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return await text(response);
}

async function besideSite(context: TestContext, site: string): Promise<void> {
  const folder = folderOf(context, 'nginx');
  const port = await freePort();
  const { port: instance } = await run(context, ['--port=0']).ready();
  const file = installIn(folder, port, site, instance);
  const args = ['-e', `${folder}/error.log`, '-c', file, '-g', 'daemon off;'];
  const child = startProgram('nginx', ...args);
  context.after(() => void child.kill());
  const [, name = ''] = /server_name (\S+);/.exec(readText('.deploy/nginx.conf')) ?? [];
  await until('an answer of nginx', () => answerOf(port, name).then(Boolean, () => false));
  assert.match(await answerOf(port, name), /"name":"Utility Calculation Service"/);
  assert.match(await answerOf(port, 'localhost'), /Welcome to nginx!/);
}

const skip =
  missing('nginx')
  || (!existsSync(join(PACKAGE, SITE)) && 'the package of Debian is not installed');

test('nginx: the recipe serves its name beside the default site of Debian', { skip }, (context) =>
  besideSite(context, readFileSync(join(PACKAGE, SITE), 'utf8')),
);

test(
  'nginx: the recipe serves its name beside the default site of nginx.org',
  { skip: skip || onlyThorough },
  (context) => besideSite(context, SITE_OF_NGINX_ORG),
);
