/** The settings of the Fetch handler. */
import { serviceSettings } from '../../command/service-settings.ts';
import { type Input, object, refine, string, withDefault } from '../../contract/schema.ts';

/** Whether a URL can contain this path unchanged; the handler would otherwise never find it in a request. */
function isBasePath(text: string): boolean {
  if (!/^(?:\/[^/?#]+)*$/.test(text)) return false;
  return new URL(`${text}/`, 'http://localhost').pathname === `${text}/`;
}

/** The settings of a handler of Fetch requests. */
export const fetchSettings = object({
  ...serviceSettings.fields,
  basePath: withDefault(
    refine(
      string({ description: 'Path below which the handler answers' }),
      'malformed',
      'a path such as /calculate, without a slash at the end',
      isBasePath,
    ),
    '',
  ),
});

/** The settings of a handler of Fetch requests, such as `{ basePath: '/calculate' }`. */
export type FetchSettings = Input<typeof fetchSettings>;
