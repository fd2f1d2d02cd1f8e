/** How the service is, for those who watch over it. */
import { Failure } from '../contract/failure.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { boolean, object } from '../contract/schema.ts';

const nothing = object({});

/** GET /healthz and GET /readyz */
export const healthOperations: readonly Operation[] = [
  operation({
    id: 'isAlive',
    path: '/healthz',
    summary: 'Whether the process answers',
    description: 'For the supervisor that would restart it.',
    takes: 'nothing',
    request: nothing,
    result: object({ alive: boolean('Always true, for a process that is not alive says nothing') }, 'That it does'),
    examples: { alive: {} },
    calculate: () => ({ alive: true }),
  }),
  operation({
    id: 'isReady',
    path: '/readyz',
    summary: 'Whether new work is welcome',
    description: 'For the load balancer in front: 503 while the service shuts down.',
    takes: 'nothing',
    request: nothing,
    result: object({ ready: boolean('Always true, for a service that is not ready answers 503') }, 'That it is'),
    examples: { ready: {} },
    failures: ['overloaded'],
    calculate(_request, { isReady }) {
      if (!isReady()) throw new Failure('overloaded', 'The service is shutting down');
      return { ready: true };
    },
  }),
];
