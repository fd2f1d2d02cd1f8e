import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Observer, Outcome, Refusal } from './server/observer.ts';
import { pathOf } from './service/request.ts';

/** Several observers as one. */
export class Observers implements Required<Observer> {
  private readonly observers: readonly Observer[];

  constructor(observers: readonly Observer[]) {
    this.observers = observers;
  }

  began(response: ServerResponse): void {
    for (const observer of this.observers) observer.began?.(response);
  }

  answered(request: IncomingMessage, outcome: Outcome): void {
    for (const observer of this.observers) observer.answered?.(request, outcome);
  }

  refused(socket: Socket, refusal: Refusal, request?: IncomingMessage): void {
    for (const observer of this.observers) observer.refused?.(socket, refusal, request);
  }

  reset(socket: Socket, reason: string, request?: IncomingMessage): void {
    for (const observer of this.observers) observer.reset?.(socket, reason, request);
  }

  faulted(fault: unknown, id: string | undefined, line?: number): void {
    for (const observer of this.observers) observer.faulted?.(fault, id, line);
  }

  shed(kind: string): void {
    for (const observer of this.observers) observer.shed?.(kind);
  }
}

/** Returns the function that finds the path of a request among those of a service; undefined if it has another. */
export function routesOf(
  paths: readonly string[],
): (request?: IncomingMessage) => string | undefined {
  const routes = new Set(paths);
  return (request) => {
    const path = pathOf(request?.url ?? '');
    return path !== undefined && routes.has(path) ? path : undefined;
  };
}
