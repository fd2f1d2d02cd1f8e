/** The documents of a service. */
import { indexOf, type Resource, type ServiceOptions } from '../../service/service.ts';
import { type DocumentFactory, documentFactory } from './document.ts';
import { OPENAPI_PATH, openApiAnswer } from './openapi.ts';
import { isQuery, queryResource } from './query.ts';

/** Adds the documents of a service: OpenAPI, the answers to queries, and the index. */
export function withDocuments(
  options: ServiceOptions,
  document: DocumentFactory = documentFactory(),
): ServiceOptions {
  const resources: readonly Resource[] = [
    {
      path: OPENAPI_PATH,
      link: 'openapi',
      kind: 'get',
      answer: document(() => openApiAnswer(options)),
    },
    ...options.resources,
    ...options.operations
      .filter(isQuery)
      .map((operation) => queryResource(operation, options, document)),
  ];
  const index = document(() => indexOf({ ...options, resources }), ['Accept']);
  return { ...options, resources: [...resources, { path: '/', kind: 'get', answer: index }] };
}
