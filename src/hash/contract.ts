import { type Check, object, refine, string } from '../contract/schema.ts';

/** A text to hash. */
export interface HashRequest {
  readonly text: string;
}

/** The text and its digests: of its UTF-8 bytes, nothing trimmed, normalized or added. */
export interface HashResult {
  readonly input: string;
  readonly md5: string;
  readonly sha256: string;
  readonly base64_encoded: string;
}

/** What the hash operation takes. */
export const hashRequest: Check<HashRequest> = object({
  text: refine(
    string({ description: 'The text; it may be empty, but has no lone surrogates', minLength: 0 }),
    'malformed',
    'a text without lone surrogates, which have no UTF-8 bytes',
    (text) => text.isWellFormed(),
  ),
}, 'A text to hash');

/** What the hash operation returns. */
export const hashResult: Check<HashResult> = object({
  input: string({ description: 'The text as it was given', minLength: 0 }),
  md5: string({ description: 'MD5 (RFC 1321) in lowercase hexadecimal', pattern: '^[0-9a-f]{32}$' }),
  sha256: string({ description: 'SHA-256 (FIPS 180-4) in lowercase hexadecimal', pattern: '^[0-9a-f]{64}$' }),
  base64_encoded: string({
    description: 'Base64 (RFC 4648 section 4), padded',
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  }),
}, 'The text and its digests');
