/** The health checks, for supervisors and load balancers. */
import { Failure } from '../contract/failure.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { boolean, object } from '../contract/schema.ts';

const noFields = object({});

export const healthOperations: readonly Operation[] = [
  operation({
    id: 'isAlive',
    path: '/healthz',
    summary: 'Check liveness',
    description: 'Liveness, for a supervisor that restarts a process which does not respond.',
    method: 'GET',
    request: noFields,
    result: object(
      {
        alive: boolean('Always true: a process that is not alive does not respond'),
      },
      'Liveness',
      'Liveness',
    ),
    examples: { alive: {} },
    invalidExamples: {},
    calculate: () => ({ alive: true }),
  }),
  operation({
    id: 'isReady',
    path: '/readyz',
    summary: 'Check readiness',
    description: 'Readiness, for a load balancer: the status is 503 while the service shuts down.',
    method: 'GET',
    request: noFields,
    result: object(
      {
        ready: boolean('Always true: a service that is not ready responds with 503'),
      },
      'Readiness',
      'Readiness',
    ),
    examples: { ready: {} },
    invalidExamples: {},
    failures: ['overloaded'],
    calculate(_request, { isReady }) {
      if (!isReady()) throw new Failure('overloaded', 'The service is shutting down');
      return { ready: true };
    },
  }),
];
