/**
 * The events of requests and connections. The server reports them to observers, such as a log, metrics or traces, and
 * does not depend on any observer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FailureCode } from '../contract/failure.ts';
import type { Answer } from '../service/answer.ts';

/** The end of a request: its answer, or the departure of its client. */
export interface Outcome {
  /** The X-Request-Id of the client or of the answer, if any. */
  readonly id: string | undefined;
  readonly status: number;
  /** Bytes of the body of the answer. */
  readonly bytes: number;
  /** When the request began: a time of `performance.now`. */
  readonly startedAt: number;
  /** Whether the client has left before the end of the answer. */
  readonly isAborted: boolean;
  /** The facts of the answer. */
  readonly facts?: Answer['facts'];
  /** The numbers of answers to the lines of a bulk request. */
  readonly lines?: { readonly succeeded: number; readonly failed: number };
}

/** A refusal that was written to the socket itself. */
export interface Refusal {
  readonly id: string;
  readonly code: FailureCode;
  /** The cause for the log, such as the code of an error of node:http. */
  readonly reason: string;
}

/** Receives events. An error that it throws is reported as a fault. */
export interface Observer {
  /** A request begins. */
  readonly began?: (response: ServerResponse) => void;
  /** A request has been answered, or its client has left before the answer, whose status is 499. */
  readonly answered?: (request: IncomingMessage, outcome: Outcome) => void;
  /** A request was refused without a response of node:http. `request` is present if its head has arrived. */
  readonly refused?: (socket: Socket, refusal: Refusal, request?: IncomingMessage) => void;
  /** The service resets a connection. `request` is the one in progress on it, if any. */
  readonly reset?: (socket: Socket, reason: string, request?: IncomingMessage) => void;
  /** A fault of the service: in a request or, with its number, in a line of a bulk request. */
  readonly faulted?: (fault: unknown, id: string | undefined, line?: number) => void;
  /** A connection was accepted. */
  readonly connected?: () => void;
  /** A request was refused, or a connection closed, because of overload: `requests`, `connections`, or another kind. */
  readonly overloaded?: (kind: string) => void;
}

/** Reports an event to each observer. An observer's own error is reported as a fault, except while reporting one. */
export function report<E extends keyof Observer>(
  observers: readonly Observer[],
  event: E,
  ...facts: Parameters<NonNullable<Observer[E]>>
): void {
  for (const observer of observers) {
    const receive = observer[event] as ((...all: typeof facts) => void) | undefined;
    try {
      receive?.call(observer, ...facts);
    } catch (fault) {
      if (event !== 'faulted') report(observers, 'faulted', fault, undefined);
    }
  }
}

/** The status of a request whose client left before the answer: a convention of nginx. */
export const CLIENT_CLOSED_REQUEST = 499;
