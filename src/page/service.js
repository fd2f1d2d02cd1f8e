const PATIENCE = 15_000;
const ATTEMPTS = 3;
const LONGEST_WAIT = 10; // seconds

/** Of a request whose refusal is no failure of HTTP, which browsers would report in the console. */
const LINES = 'application/x-ndjson';

/**
 * The outcome of a request has the `content` of the response, its `data`, or the `error` and the `reason` of a failure.
 * An overloaded service is asked again after its Retry-After.
 */
export async function post(path, body, { signal, mediaType = LINES } = {}) {
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
    return outcomeOf(response, await response.text());
  } catch {
    return { reason: timeout.aborted ? 'timeout' : 'unreachable', content: '' };
  }
}

function outcomeOf({ status, headers }, content) {
  const wait = Number(headers.get('Retry-After')) || 1;
  const isJson = /json/.test(headers.get('Content-Type')); // unlike the login page of a hotel, which answers everything
  const { data, error } = isJson ? JSON.parse(content.split('\n', 1)[0]) : {};
  return { data, error, reason: reasonOf(status, error), status, wait, content };
}

function reasonOf(status, error) {
  if (status === 503) return 'overloaded';
  if (status >= 500) return 'failed';
  if (error === undefined) return 'foreign';
  return { body_too_large: 'tooLarge', validation_failed: 'invalid' }[error.code] ?? 'refused';
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
