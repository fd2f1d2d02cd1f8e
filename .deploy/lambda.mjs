/**
 * The service as a function URL of AWS Lambda, with the payload format 2.0: upload this file as index.mjs, with the package in
 * node_modules. It sends the answer to a bulk request when it is complete. If the function URL sets CORS headers, pass
 * `{ corsOrigin: 'off' }`.
 */
import { createFetchHandler } from 'utility-calculation-service';

const respond = createFetchHandler();

export async function handler(event) {
  const { rawPath, rawQueryString, headers, requestContext, body, isBase64Encoded } = event;
  const { domainName, http } = requestContext;
  const { method } = http;
  const encoding = isBase64Encoded ? 'base64' : 'utf8';
  const bytes = method === 'POST' ? Buffer.from(body ?? '', encoding) : undefined;
  const url = `https://${domainName}${rawPath}?${rawQueryString}`;
  let request;
  try {
    request = new Request(url, { method, headers, body: bytes });
  } catch {
    // The method TRACE, or a header with characters above U+00FF.
    return { statusCode: 400 };
  }
  const response = await respond(request);
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
