import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { parse } from '../../src/contract/schema.ts';
import { hashRequest, hashResult } from '../../src/hash/contract.ts';
import { hashOperation, hashText } from '../../src/hash/hash.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { vectors } from '../helpers/vectors.ts';

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
const BASE64 = vectors<[text: string, base64: string]>('base64-texts');
for (const [text, base64] of BASE64) {
  test(`returns the Base64 of "${text}"`, () =>
    assert.equal(hashText({ text }).base64_encoded, base64));
}

/** Texts with their UTF-8 bytes, and the digests that md5sum and sha256sum of coreutils calculate from these bytes. */
const UTF8 =
  vectors<[name: string, text: string, bytes: string, md5: string, sha256: string]>('hashed-texts');
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
    assert.deepEqual(structuredClone(parse(hashResult, JSON.parse(written))), result);
    assert.equal(Buffer.from(result.base64_encoded, 'base64').toString(), text);
  }
});
