/** The Model Context Protocol over HTTP: one message per POST, without sessions and streams. */
import type { Resource, ServiceOptions } from '../../service/service.ts';
import { MESSAGE_LIMIT, messageAnswerer, refuseMessage } from './messages.ts';

/** The resource of the Model Context Protocol for a service with these options. */
export function mcpResource(options: ServiceOptions): Resource {
  const answer = messageAnswerer(options);
  const { corsOrigins } = options;
  return {
    path: '/mcp',
    link: 'mcp',
    kind: 'post',
    limit: MESSAGE_LIMIT,
    answer(body, { headers }) {
      const origin = headers['origin'];
      const isAllowed =
        origin === undefined || corsOrigins.some((known) => known === '*' || known === origin);
      if (!isAllowed) return refuseMessage(403, 'Expected an origin in CORS_ORIGIN');
      return answer({ body, headers });
    },
  };
}
