/** Entity tags of documents. */

/** Characters of each half of an entity tag: 32 bits in base 36. */
const LENGTH = 7;

/**
 * The entity tag of a document (RFC 9110 section 8.8.3): two hashes of its code units, or of its bytes, in the way of
 * FNV-1a. Documents change with the version of the service only, so that no cryptographic hash is needed, which would
 * require Node or a Promise.
 */
export function entityTag(document: string | Uint8Array): string {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let index = 0; index < document.length; index += 1) {
    const unit = typeof document === 'string' ? document.charCodeAt(index) : document[index]!;
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5bd1e995);
  }
  const halves = [first, second].map((half) => (half >>> 0).toString(36).padStart(LENGTH, '0'));
  return `"${halves.join('')}"`;
}
