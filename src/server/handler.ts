/** The service as a request listener of node:http. */
import type { ServerResponse } from 'node:http';
import { failureOf } from '../contract/failure.ts';
import { envelopeAnswer } from '../service/answer.ts';
import { type ByteQueue, TOO_LARGE } from '../service/body.ts';
import type { PostRoute } from '../service/service.ts';
import { type BodyMessage, takeBody } from './body.ts';
import { connectionOf } from './connection.ts';
import { type App, Exchange, type Expectation } from './exchange.ts';
import { protocolError } from './protocol.ts';

/** Creates a request listener for requests with a given Expect header. */
export function requestListenerOf(
  app: App,
  expectation: Expectation,
): (request: BodyMessage, response: ServerResponse) => void {
  return (request, response) => {
    const connection = connectionOf(app, request.socket);
    const begin = (): void => {
      const exchange = new Exchange(app, connection, request, response, expectation);
      exchange.attempt(() => routeAndAnswer(exchange));
    };
    if (response.socket === null) connection.wait(response, begin);
    else begin();
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
  const { method = '', url: target = '', headers } = request;
  const routed = app.service.route({ method, target, headers });
  if (routed.kind === 'answer') return exchange.send(routed.answer);
  if (routed.isBulk) return app.answerBulk?.(exchange, routed);
  exchange.sendContinue();
  // Most bodies arrive with the headers and are complete when the queue reaches them.
  return exchange.schedule(() => readAndAnswer(exchange, routed));
}

function readAndAnswer(exchange: Exchange, route: PostRoute): void {
  const body = takeBody(exchange.request, route.limit);
  if (body !== undefined) return exchange.send(route.answer(body));
  const done = (bytes: ByteQueue): void => {
    if (bytes.size > route.limit) exchange.send(route.answer(TOO_LARGE));
    else exchange.schedule(() => exchange.send(route.answer(bytes.takeAll())));
  };
  exchange.readBody(route.limit, done);
}
