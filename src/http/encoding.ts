/** The content coding of documents: the answers with an ETag. */
import { type Answer, ETAG } from './answer.ts';
import { preferences, type RequestHead } from './request.ts';

/** Compresses a text with gzip (RFC 1952). */
export type Gzip = (text: string) => Uint8Array;

/** Returns a document in the coding that a request accepts, and any other answer as it is. */
export type Encode = (answer: Answer, headers: RequestHead['headers']) => Answer;

/** Creates a function that encodes each document once. Without `gzip`, it changes no answer. */
export function encoderOf(gzip: Gzip | undefined): Encode {
  if (gzip === undefined) return (answer) => answer;
  const encodings = new WeakMap<Answer, Answer>();
  return (answer, headers) => {
    const isDocument = answer.headers.includes(ETAG);
    if (!isDocument) return answer;
    const isAccepted = preferences(headers['accept-encoding']).includes('gzip');
    if (!isAccepted) return answer;
    const encoded = encodings.get(answer) ?? gzipped(answer, gzip);
    encodings.set(answer, encoded);
    return encoded;
  };
}

/** The compressed document, which has an ETag of its own (RFC 9110 section 8.8.3.3). */
function gzipped(document: Answer, gzip: Gzip): Answer {
  const headers = document.headers.map((value, index) =>
    document.headers[index - 1] === ETAG ? value.replace(/"$/, '-gzip"') : value,
  );
  return { ...document, headers, gzip: gzip(document.body) };
}
