/** The service as a request listener of node:http. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { failureOf } from '../contract/failure.ts';
import { envelopeAnswer, errorAnswer } from '../service/answer.ts';
import { type ByteQueue, TOO_LARGE } from '../service/body.ts';
import { BODY_ALREADY_READ, type RequestHead } from '../service/request.ts';
import type { PostRoute } from '../service/service.ts';
import { takeBody } from './body.ts';
import { type Attempt, connectionOfRequest } from './connection.ts';
import { type App, Exchange, type Expectation } from './exchange.ts';
import { protocolError } from './protocol.ts';

/** Creates a request listener for requests with a given Expect header. */
export function requestListenerOf(app: App, expectation: Expectation = 'none'): RequestListener {
  return (request, response) => {
    const connection = connectionOfRequest(app, request, response);
    const attempt: Attempt = (work) => connection.attempt(request, work);
    const inContext = app.bind?.(attempt) ?? attempt;
    const begin = (): void => {
      const exchange = new Exchange(app, connection, request, response, expectation, inContext);
      exchange.attempt(() => routeAndAnswer(exchange));
    };
    inContext(() => {
      const isWaiting = response.socket === null && !response.headersSent;
      if (isWaiting) connection.wait(response, () => void inContext(begin));
      else begin();
    });
  };
}

function routeAndAnswer(exchange: Exchange): void {
  const { app, request, expectation } = exchange;
  const message = protocolError(request);
  if (message !== undefined) {
    return exchange.send(envelopeAnswer(failureOf('bad_request', message)), true);
  }
  if (expectation === 'unknown') {
    return exchange.send(envelopeAnswer(failureOf('expectation_failed')), true);
  }
  const routed = app.service.route(headOf(request));
  if (routed.kind === 'answer') return exchange.send(routed.answer);
  if (!routed.isStream) exchange.sendContinue();
  // Most bodies arrive with the headers and are complete when the queue reaches them. If another listener already
  // consumes the stream, waiting would lose data.
  const canWait = !routed.isStream && request.readableFlowing === null;
  if (!canWait) return readAndAnswer(exchange, routed);
  return exchange.schedule(() => readAndAnswer(exchange, routed));
}

/**
 * Express and Connect remove the path of a mounted listener from `url`, and keep it in `originalUrl`. The target that
 * the client has sent is then a header with its name in HTTP/2, which no client of HTTP/1.1 can send.
 */
function headOf(request: IncomingMessage): RequestHead {
  const { method = '', url = '', headers } = request;
  const original: unknown = Reflect.get(request, 'originalUrl');
  const isMounted = typeof original === 'string' && original !== url;
  return { method, target: url, headers: isMounted ? { ...headers, ':path': original } : headers };
}

function readAndAnswer(exchange: Exchange, route: PostRoute): void {
  const { app, request } = exchange;
  const isConsumed = request.readableEnded || request.readableDidRead;
  // With an encoding, the stream yields text, from which the bytes of the client cannot be restored.
  const isDecoded = typeof request.readableEncoding === 'string';
  if (isConsumed || isDecoded) return exchange.send(errorAnswer(new Error(BODY_ALREADY_READ)));
  if (route.isStream) return app.answerStream?.(exchange, route);
  const body = takeBody(request, route.limit);
  if (body !== undefined) return exchange.send(route.answer(body));
  const done = (bytes: ByteQueue): void => {
    if (bytes.size > route.limit) exchange.send(route.answer(TOO_LARGE));
    else exchange.schedule(() => exchange.send(route.answer(bytes.takeAll())));
  };
  return exchange.readBody(route.limit, done);
}
