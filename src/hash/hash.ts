/** The digests of a text, and their operation. */
import crypto from 'node:crypto';
import { Failure } from '../contract/failure.ts';
import { operation } from '../contract/operation.ts';
import { type Input, parse, type Value } from '../contract/schema.ts';
import { hashRequest, type HashResult, hashResult } from './contract.ts';

/** A text to hash. */
export type HashRequest = Input<typeof hashRequest>;

/** The one-shot `crypto.hash` is twice as fast for a short text; other runtimes may lack it. */
const hexDigest: (algorithm: string, bytes: Uint8Array) => string =
  crypto.hash ?? ((algorithm, bytes) => crypto.createHash(algorithm).update(bytes).digest('hex'));

/**
 * Calculates MD5, SHA-256 and Base64 of a text in UTF-8. Throws a Failure: `validation_failed` for an invalid request,
 * `digest_unavailable` if the OpenSSL of this Node does not provide a digest, as in FIPS mode, which excludes MD5.
 *
 * @example
 * hashText({ text: 'Xin chào' }).md5; // 'd507cf86fa25f6787e3fc5e5d61e00a3'
 */
export function hashText(request: HashRequest): HashResult {
  return calculate(parse(hashRequest, request));
}

function calculate({ text }: Value<typeof hashRequest>): HashResult {
  const bytes = Buffer.from(text, 'utf8');
  return {
    input: text,
    md5: digest('MD5', bytes),
    sha256: digest('SHA256', bytes),
    base64_encoded: bytes.toString('base64'),
  };
}

/** Writes JSON. Hexadecimal and Base64 need no escaping; JSON.stringify spends a third of a bulk line on checking. */
function writeHash({ input, md5, sha256, base64_encoded }: HashResult): string {
  return (
    `{"input":${JSON.stringify(input)},"md5":"${md5}","sha256":"${sha256}",`
    + `"base64_encoded":"${base64_encoded}"}`
  );
}

function digest(algorithm: 'MD5' | 'SHA256', bytes: Uint8Array): string {
  try {
    return hexDigest(algorithm, bytes);
  } catch (cause) {
    const message = `The OpenSSL of this installation does not provide ${algorithm}`;
    throw new Failure('digest_unavailable', message, { cause });
  }
}

export const hashOperation = operation({
  id: 'hashText',
  path: '/api/v1/hash',
  summary: 'Hash a text',
  description:
    'Calculates MD5, SHA-256 and Base64 of the UTF-8 bytes of a text; nothing is trimmed, '
    + 'normalized or added. Not for passwords, signatures or encryption: there is no key and no '
    + 'salt. MD5 is provided for compatibility; it does not protect against an attacker.',
  method: 'POST',
  hasLargeBody: true,
  request: hashRequest,
  result: hashResult,
  examples: { 'a text with diacritics': { text: 'Xin chào' } },
  invalidExamples: { 'no text': {}, 'a lone surrogate': { text: '\ud800' } },
  failures: ['digest_unavailable'],
  calculate,
  write: writeHash,
});
