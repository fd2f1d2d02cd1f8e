/** The fields of a hash request and its result. */
import { object, refine, string, type Value } from '../contract/schema.ts';

/** The request of the hash operation. */
export const hashRequest = object(
  {
    text: refine(
      string({
        description: 'Text to hash, which may be empty and must not contain lone surrogates',
        minLength: 0,
      }),
      'malformed',
      'a text without lone surrogates, which UTF-8 cannot encode',
      (text) => text.isWellFormed(),
    ),
  },
  'A text to hash',
);

/** The result of the hash operation. */
export const hashResult = object(
  {
    input: string({ description: 'The text of the request', minLength: 0 }),
    md5: string({
      description: 'MD5 (RFC 1321) in lowercase hexadecimal',
      pattern: '^[0-9a-f]{32}$',
    }),
    sha256: string({
      description: 'SHA-256 (FIPS 180-4) in lowercase hexadecimal',
      pattern: '^[0-9a-f]{64}$',
    }),
    base64_encoded: string({
      description: 'Base64 (RFC 4648 section 4), padded',
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    }),
  },
  'The text, its digests and its Base64 encoding',
  'HashResult',
);

/** A text, its digests and its encoding. */
export type HashResult = Value<typeof hashResult>;
