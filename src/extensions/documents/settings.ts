/** The setting of the documents. */
import { optional, refine, string } from '../../contract/schema.ts';

/** No character of it has a meaning in HTML. */
const URL_OF_A_FOLDER = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~%-]*)*$/;

/** The setting of the documents. */
export const documentSettings = {
  publicUrl: optional(
    refine(
      string({
        description: 'URL of the service for clients, which previews of links to the page need',
      }),
      'malformed',
      'a URL like https://example.org/, without credentials, query and fragment',
      (text) => URL_OF_A_FOLDER.test(text) && URL.canParse(text),
    ),
  ),
};
