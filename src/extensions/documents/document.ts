/** Documents: answers with an entity tag, which clients revalidate and may receive compressed. */
import { type Answer, lazy } from '../../service/answer.ts';
import type { RequestHead } from '../../service/request.ts';
import { entityTag } from './entity-tag.ts';
import { preferences } from './preferences.ts';

/**
 * Creates the answer to GET requests from a function that builds it. The answer changes with the version of the service
 * only; `vary` has the names of the request headers on which it depends besides.
 */
export type DocumentFactory = (
  build: () => Answer,
  vary?: readonly string[],
) => (head: RequestHead) => Answer;

/** Compresses a text or bytes with gzip (RFC 1952). */
export type Gzip = (content: string | Uint8Array) => Uint8Array;

/** A document in one content coding, which has an entity tag of its own (RFC 9110 section 8.8.3.3). */
interface Representation {
  readonly etag: string;
  readonly answer: Answer;
  /** The answer to a client that has the representation (RFC 9110 section 15.4.5). */
  readonly notModified: Answer;
}

/** Entity tags of If-None-Match that are compared. */
const MAXIMUM_TAGS = 50;

/** Documents are built on first use, and kept in each coding. Without `gzip`, they are not compressed. */
export function documentFactory(gzip?: Gzip): DocumentFactory {
  return (build, vary = []) => {
    const content = lazy(build);
    const plain = lazy(() => represent(content(), vary));
    const compressed = lazy(() => represent(content(), vary, gzip));
    return ({ headers }) => {
      const isCompressed =
        gzip !== undefined && preferences(headers['accept-encoding']).includes('gzip');
      const { etag, answer, notModified } = isCompressed ? compressed() : plain();
      return isAmong(headers['if-none-match'], etag) ? notModified : answer;
    };
  };
}

function represent(content: Answer, vary: readonly string[], gzip?: Gzip): Representation {
  const tag = entityTag(content.body);
  const etag = gzip === undefined ? tag : tag.replace(/"$/, '-gzip"');
  const dependencies = [...vary, 'Accept-Encoding'].join(', ');
  const headers = ['ETag', etag, ...content.headers, 'Vary', dependencies];
  const kept: Answer = { ...content, caching: 'no-cache', headers };
  const notModified: Answer = { ...kept, contentType: undefined, body: '', status: 304 };
  const coded = [...headers, 'Content-Encoding', 'gzip'];
  const answer: Answer =
    gzip === undefined ? kept : { ...kept, body: gzip(content.body), headers: coded };
  for (const shared of [headers, coded, answer, notModified]) Object.freeze(shared);
  return { etag, answer, notModified };
}

/** Whether an If-None-Match has an entity tag (RFC 9110 section 13.1.2). */
function isAmong(ifNoneMatch: string | readonly string[] | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return String(ifNoneMatch)
    .split(',', MAXIMUM_TAGS)
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}
