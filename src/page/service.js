/** A request that has no answer by then has none. */
const PATIENCE = 15_000;
const ATTEMPTS = 3;
/** The longest wait, in seconds, that is taken for a Retry-After. */
const LONGEST_WAIT = 10;

/**
 * Posts a body. The outcome has `data`, or else the `reason` of the failure and the `error` of the service where there
 * is one; `content` is the text of the response. An overloaded service is asked again after its Retry-After.
 */
export async function post(path, body, { signal, mediaType = 'application/json', isText = false } = {}) {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(path, body, signal, mediaType, isText);
    if (outcome.reason !== 'overloaded' || attempt === ATTEMPTS || signal?.aborted) return outcome;
    await new Promise((resolve) => setTimeout(resolve, Math.min(outcome.wait, LONGEST_WAIT) * 1_000));
  }
}

async function postOnce(path, body, signal, mediaType, isText) {
  const timeout = AbortSignal.timeout(PATIENCE);
  const headers = { 'Content-Type': mediaType };
  const options = { method: 'POST', headers, body, credentials: 'omit' };
  let content;
  let response;
  try {
    response = await fetch(path, { ...options, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    content = await response.text();
  } catch {
    return { reason: timeout.aborted ? 'timeout' : 'unreachable', content: '' };
  }
  const { status } = response;
  if (isText && status === 200) return { data: content, status, content };
  const { data, error } = envelopeOf(content);
  const shown = data || error ? JSON.stringify({ ...envelopeOf(content) }, null, 2) : content;
  if (data && status === 200) return { data, status, content: shown };
  const wait = Number(response.headers.get('Retry-After')) || 1;
  return { reason: reasonOf(status, error), error, status, wait, content: shown };
}

/** A login page of a hotel answers everything, with a page of its own. */
function envelopeOf(content) {
  try {
    return Object(JSON.parse(content));
  } catch {
    return {};
  }
}

function reasonOf(status, error) {
  if (status === 503) return 'overloaded';
  if (status >= 500) return 'failed';
  if (!error) return 'foreign';
  return { 413: 'tooLarge', 422: 'invalid' }[status] ?? 'refused';
}

let reviewed; // the last month whose law has been reviewed, which every answer shares

/** Resolves to undefined where the service does not say. */
export function reviewedThrough() {
  reviewed ??= fetch('api/v1/tax/rules?period=2015-01', { signal: AbortSignal.timeout(3_000), credentials: 'omit' })
    .then((response) => response.json())
    .then(({ data }) => data.reviewed_through)
    .catch(() => undefined);
  return reviewed;
}
