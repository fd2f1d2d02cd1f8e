import crypto from 'node:crypto';
import { Failure } from '../contract/failure.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { type HashRequest, hashRequest, type HashResult, hashResult } from './contract.ts';

/** The one-shot `crypto.hash` is twice as fast on a short text; Node 20.11 does not have it yet. */
const hexDigest: (algorithm: string, bytes: Uint8Array) => string = crypto.hash
  ?? ((algorithm, bytes) => crypto.createHash(algorithm).update(bytes).digest('hex'));

/**
 * MD5 (RFC 1321), SHA-256 (FIPS 180-4) and Base64 (RFC 4648 section 4) of the UTF-8 bytes of a text without lone
 * surrogates. Throws `digest_unavailable` where the OpenSSL of this Node lacks a digest, as one in FIPS mode lacks MD5.
 */
export function hashText({ text }: HashRequest): HashResult {
  const bytes = Buffer.from(text, 'utf8');
  return {
    input: text,
    md5: digest('MD5', bytes),
    sha256: digest('SHA256', bytes),
    base64_encoded: bytes.toString('base64'),
  };
}

/** The result as JSON. Hexadecimal and Base64 need no escaping; to look for it would cost a third of the request. */
export function writeHash({ input, md5, sha256, base64_encoded }: HashResult): string {
  return `{"input":${JSON.stringify(input)},"md5":"${md5}","sha256":"${sha256}","base64_encoded":"${base64_encoded}"}`;
}

function digest(algorithm: 'MD5' | 'SHA256', bytes: Uint8Array): string {
  try {
    return hexDigest(algorithm, bytes);
  } catch {
    throw new Failure('digest_unavailable', `The OpenSSL of this installation does not provide ${algorithm}`);
  }
}

/** POST /api/v1/hash */
export const hashOperation: Operation = operation({
  id: 'hashText',
  path: '/api/v1/hash',
  summary: 'MD5, SHA-256 and Base64 of a text in UTF-8',
  description: 'Of the UTF-8 bytes of the text, with nothing trimmed, normalized or added. MD5 is there for '
    + 'compatibility; it protects nothing against an attacker.',
  takes: 'text',
  request: hashRequest,
  result: hashResult,
  examples: { 'a text with diacritics': { text: 'Xin chào' } },
  failures: ['digest_unavailable'],
  calculate: hashText,
  write: writeHash,
});
