import { createHash } from 'node:crypto';

/** Characters of an entity tag: 128 bits in Base64. */
const LENGTH = 22;

/** The entity tag of a body: a part of its SHA-256; undefined if OpenSSL has no SHA-256. */
export function entityTag(body: string): string | undefined {
  try {
    return `"${createHash('sha256').update(body).digest('base64url').slice(0, LENGTH)}"`;
  } catch {
    return undefined;
  }
}
