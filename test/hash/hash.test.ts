import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { parse } from '../../src/contract/schema.ts';
import { hashRequest, hashResult } from '../../src/hash/contract.ts';
import { hashOperation, hashText } from '../../src/hash/hash.ts';
import { type Random, seeded } from '../helpers/random.ts';

const CONTEXT = { currentPeriod: () => '2026-08', isReady: () => true };

/** RFC 1321, appendix A.5. */
const MD5: readonly [text: string, md5: string][] = [
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    'd174ab98d277d9f5a5611c2c9f419d9f',
  ],
  ['1234567890'.repeat(8), '57edf4a22be3c955ac49da2e2107b67a'],
];
for (const [text, md5] of MD5)
  test(`returns the MD5 of "${text}"`, () => assert.equal(hashText({ text }).md5, md5));

/** FIPS 180-2, appendix B, and the empty message. */
const SHA256: readonly [name: string, text: string, sha256: string][] = [
  ['the empty text', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['"abc"', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    '448 bits',
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    'one million "a"',
    'a'.repeat(1_000_000),
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  ],
];
for (const [name, text, sha256] of SHA256) {
  test(`returns the SHA-256 of ${name}`, () => assert.equal(hashText({ text }).sha256, sha256));
}

/** RFC 4648, section 10, and a text whose Base64 has the characters that base64url replaces. */
const BASE64: readonly [text: string, base64: string][] = [
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
  ['~~?~~>', 'fn4/fn4+'],
];
for (const [text, base64] of BASE64) {
  test(`returns the Base64 of "${text}"`, () =>
    assert.equal(hashText({ text }).base64_encoded, base64));
}

/** Texts with their UTF-8 bytes, and the digests that md5sum and sha256sum of coreutils calculate from these bytes. */
const UTF8: readonly [name: string, text: string, bytes: string, md5: string, sha256: string][] = [
  [
    'composed Vietnamese letters',
    'Xin ch\u00e0o, Vi\u1ec7t Nam',
    '58 69 6e 20 63 68 c3a0 6f 2c 20 56 69 e1bb87 74 20 4e 61 6d',
    'adf984dd41761a70b558c99f0be31998',
    '784e2b6fc4f6590d739cd6bf0088fe3d52d4694bbcb833126f336c666c7dcd1e',
  ],
  [
    'decomposed Vietnamese letters',
    'Xin cha\u0300o, Vie\u0323\u0302t Nam',
    '58 69 6e 20 63 68 61 cc80 6f 2c 20 56 69 65 cca3 cc82 74 20 4e 61 6d',
    'c95b114e0780ea0498a3f72aec5c4789',
    '3fa82c6150768dcb0d58e2b62ca27d01b4f96c8ef58f41095370f56da645c0dd',
  ],
  [
    'characters of four bytes',
    '\u{1f600}\u{10ffff}',
    'f09f9880 f48fbfbf',
    '29984c75ba89c9f2cb4238b461e6c052',
    '9e7c490cf3fdf55d006b4ec9ad7d1f5f3a4c45eddead0265b4f1ca855fcf2383',
  ],
  [
    'a NUL character',
    'a\u0000b',
    '61 00 62',
    '70350f6027bce3713f6b76473084309b',
    '59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138',
  ],
  [
    'a byte order mark',
    '\ufeff',
    'efbbbf',
    'ecaa88f7fa0bf610a5a26cf545dcd3aa',
    'f1945cd6c19e56b3c1c78943ef5ec18116907a4ca1efc40a57d48ab1db7adfc5',
  ],
  [
    'surrounding white space',
    ' a\r\n',
    '20 61 0d 0a',
    '24419e8909a93cb92447f00b75a89d7b',
    'f97b4fcda3db6d9e52c49c9b28d9b4c3c2966a147754b6db3a60de7a87da49b9',
  ],
];
for (const [name, text, bytes, md5, sha256] of UTF8) {
  test(`hashes the UTF-8 bytes of ${name} unchanged`, () => {
    const result = hashText({ text });
    assert.deepEqual(result, { input: text, md5, sha256, base64_encoded: result.base64_encoded });
    assert.equal(
      Buffer.from(result.base64_encoded, 'base64').toString('hex'),
      bytes.replaceAll(' ', ''),
    );
  });
}

test('composed and decomposed forms of a letter have different digests', () => {
  assert.equal('\u1ec7'.normalize('NFD'), 'e\u0323\u0302');
  assert.notEqual(hashText({ text: '\u1ec7' }).sha256, hashText({ text: 'e\u0323\u0302' }).sha256);
});

const LONE_SURROGATES: readonly [name: string, text: string][] = [
  ['a high surrogate', '\ud800'],
  ['a low surrogate', '\udfff'],
  ['a high surrogate between letters', 'a\ud83db'],
  ['a reversed pair', '\ude00\ud83d'],
  ['a high surrogate after a pair', '\ud83d\ude00\ud83d'],
];
for (const [name, text] of LONE_SURROGATES) {
  test(`rejects a lone surrogate: ${name}`, () => {
    assert.throws(
      () => parse(hashRequest, { text }),
      (error) => {
        assert.ok(error instanceof Failure);
        assert.deepEqual(
          error.details?.map(({ field, code }) => [field, code]),
          [['text', 'malformed']],
        );
        assert.match(
          error.message,
          /^text: expected a text without lone surrogates, which UTF-8 cannot encode, got /,
        );
        return true;
      },
    );
  });
}

/** A text of up to 39 characters without lone surrogates; many of them need escapes in JSON. */
function randomText(random: Random): string {
  const character = (): string => {
    const kind = random.below(4);
    if (kind === 0) return String.fromCharCode(random.below(128));
    if (kind === 1)
      return random.pick(['😀', '👨‍👩‍👧', '𝔘', '\u{10ffff}', '"', '\\', '\u2028', '\u007f', 'đ', 'ệ']);
    const code = random.below(0x10000 - 0x800);
    return String.fromCharCode(code < 0xd800 ? code : code + 0x800);
  };
  return Array.from({ length: random.below(40) }, character).join('');
}

test('writes every character of the Basic Multilingual Plane as JSON.stringify does', () => {
  for (let code = 0; code < 0x10000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCharCode(code);
    const result = hashText({ text });
    assert.equal(hashOperation.run({ text }, CONTEXT), JSON.stringify(result));
    assert.equal(Buffer.from(result.base64_encoded, 'base64').toString(), result.input);
  }
});

test('writes the results of 2,000 random texts as JSON.stringify does, and as their schema requires', () => {
  const random = seeded(1321);
  for (let count = 0; count < 2000; count += 1) {
    const text = randomText(random);
    const result = hashText({ text });
    const written = hashOperation.run({ text }, CONTEXT);
    assert.equal(written, JSON.stringify(result));
    assert.deepEqual(parse(hashResult, JSON.parse(written)), result);
    assert.equal(Buffer.from(result.base64_encoded, 'base64').toString(), text);
  }
});
