/** The setting of the documents. */
import { optional, refine, string } from '../../contract/schema.ts';

/**
 * A URL as the URL standard writes it, with a port above 0 if any, and without empty segments. No character of it has a
 * meaning in HTML.
 */
const URL_OF_A_FOLDER = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::[1-9]\d*)?(?:\/[\w.~%-]+)*\/?$/;

/** The setting of the documents. */
export const documentSettings = {
  publicUrl: optional(
    refine(
      string({
        description:
          'Public URL of the service, in the form that browsers show; '
          + 'without it, shared links to the page have no picture',
      }),
      'malformed',
      'a URL like https://example.org/, without credentials, query and fragment',
      (text) => URL.canParse(text) && URL_OF_A_FOLDER.test(new URL(text).href),
    ),
  ),
};
