/** The setting of the documents. */
import { optional, refine, string } from '../../contract/schema.ts';

/** No character of it has a meaning in HTML. */
const URL_OF_A_FOLDER = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~%-]*)*$/;

/** The setting of the documents. */
export const documentSettings = {
  publicUrl: optional(
    refine(
      string({
        description:
          'URL at which clients reach the service; without it, links to the page have no picture',
      }),
      'malformed',
      'a URL like https://example.org/, without credentials, query and fragment',
      (text) => URL_OF_A_FOLDER.test(text) && URL.canParse(text),
    ),
  ),
};
