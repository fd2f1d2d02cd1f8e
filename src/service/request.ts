/** The head of a request: its method, target and headers. */
import { JSON_TYPE } from '../contract/media-types.ts';

/** Method, target and headers of a request. Header names are in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The methods that some path supports. */
export const METHODS = 'GET, HEAD, POST, OPTIONS';

/** The message of the error if a program has read the body before the service, or decodes it. */
export const BODY_ALREADY_READ =
  'The body was read or decoded before the service received the request; '
  + 'mount the service before any body parser';

/** Scheme and authority of a target in absolute-form, without userinfo (RFC 9110 section 4.2.4). */
const ORIGIN = /^https?:\/\/(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;
/** A parameter of a Content-Type (RFC 9110 section 5.6.6); a quoted value may contain semicolons. */
const PARAMETER = /;\s*([^\s;="]+)=("(?:[^"\\]|\\.)*"|[^;]*)/g;
/** Visible ASCII, so that a client cannot insert line breaks or control characters. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** Characters of an id that all requests of a process share: 48 random bits in two groups of a UUID. */
const ID_PREFIX_LENGTH = 13;

// Shared by all requests, because a UUID per request would take more time than the rest of its line in the log.
// Cloudflare Workers generate random values only while they handle a request.
let idPrefix: string | undefined;
let lastId = 0;

/**
 * The path of a target in origin-form or absolute-form (RFC 9112 section 3.2), without its query and with its escapes
 * decoded; undefined if the escapes are malformed.
 */
export function pathOf(target: string): string | undefined {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  // The empty path of an absolute-form is that of the root (RFC 9110 section 4.2.3).
  if (path === '' && local !== target) return '/';
  if (!path.includes('%')) return path;
  try {
    // decodeURI leaves escapes of reserved characters, because %2F is not a slash (RFC 3986 section 2.2).
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** The X-Request-Id of the client, if it can be echoed and logged as it is. */
export function requestId({ headers }: Pick<RequestHead, 'headers'>): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

/** A new id for a request without one of its own. */
export function newId(): string {
  idPrefix ??= crypto.randomUUID().slice(0, ID_PREFIX_LENGTH);
  lastId += 1;
  return `${idPrefix}-${lastId}`;
}

/** The media type of a Content-Type, in lower case; undefined if its charset is not UTF-8. */
export function mediaTypeOf(contentType: string): string | undefined {
  if (contentType === JSON_TYPE) return JSON_TYPE;
  const [essence = ''] = contentType.toLowerCase().split(';', 1);
  const parameters = [...contentType.toLowerCase().matchAll(PARAMETER)];
  const [, , charset = 'utf-8'] = parameters.find(([, name]) => name === 'charset') ?? [];
  return /^(?:utf-8|"utf-8")$/.test(charset.trim()) ? essence.trim() : undefined;
}
