/** The documents of a service. */
import { NDJSON_TYPE } from '../../contract/media-types.ts';
import type { Answer } from '../../service/answer.ts';
import type { RequestHead } from '../../service/request.ts';
import {
  type GetResource,
  indexOf,
  type Resource,
  type ServiceOptions,
} from '../../service/service.ts';
import { type DocumentFactory, documentFactory } from './document.ts';
import { OPENAPI_PATH, openApiAnswer } from './openapi.ts';
import { isQuery, queryResource } from './query.ts';

/** The answer for a browser at `/`; undefined for any other client. */
export type Page = (head: RequestHead) => Answer | undefined;

/**
 * Adds the documents of a service: OpenAPI, the answers to queries, and at `/` the page or the index. The service then
 * accepts the bulk requests that OpenAPI describes.
 */
export function withDocuments(
  options: ServiceOptions,
  document: DocumentFactory = documentFactory(),
  page?: Page,
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
  const answer: GetResource['answer'] = (head) => page?.(head) ?? index(head);
  const all: readonly Resource[] = [...resources, { path: '/', kind: 'get', answer }];
  return { ...options, bulkType: NDJSON_TYPE, resources: all };
}
