const PATIENCE = 15_000;
const ATTEMPTS = 3;
const LONGEST_WAIT = 10; // seconds

/**
 * The outcome of a request has `data`, or the `reason` and the `error` of a failure; `content` is the text of the
 * response. An overloaded service is asked again after its Retry-After.
 */
export async function post(path, body, { signal, mediaType = 'application/json' } = {}) {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(path, body, signal, mediaType);
    if (outcome.reason !== 'overloaded' || attempt === ATTEMPTS || signal?.aborted) return outcome;
    await new Promise((resolve) => setTimeout(resolve, Math.min(outcome.wait, LONGEST_WAIT) * 1_000));
  }
}

async function postOnce(path, body, signal, mediaType) {
  const timeout = AbortSignal.timeout(PATIENCE);
  const signals = AbortSignal.any([timeout, signal].filter(Boolean));
  const headers = { 'Content-Type': mediaType };
  try {
    const response = await fetch(path, { method: 'POST', headers, body, credentials: 'omit', signal: signals });
    return outcomeOf(response, await response.text(), mediaType);
  } catch {
    return { reason: timeout.aborted ? 'timeout' : 'unreachable', content: '' };
  }
}

function outcomeOf({ status, headers }, content, mediaType) {
  if (status === 200 && mediaType === 'application/x-ndjson') return { data: content };
  const envelope = envelopeOf(content);
  const { data, error } = envelope;
  const shown = data || error ? JSON.stringify(envelope, null, 2) : content;
  if (data && status === 200) return { data, content: shown };
  const wait = Number(headers.get('Retry-After')) || 1;
  return { reason: reasonOf(status, error), error, status, wait, content: shown };
}

/** The login page of a hotel answers everything, but not in JSON. */
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

let reviewed; // every answer shares the request

/** The last month whose law has been reviewed, if the service has one. */
export function reviewedThrough() {
  reviewed ??= fetch('api/v1/tax/rules?period=2015-01', { signal: AbortSignal.timeout(3_000), credentials: 'omit' })
    .then((response) => response.json())
    .then(({ data }) => data.reviewed_through)
    .catch(() => undefined);
  return reviewed;
}
