/*
 * The document: sent by a service, in one language; or in one file, with its texts in both languages,
 * as `{English|tiếng Việt}`.
 */
import { type Language, LANGUAGES } from './numbers.ts';

const TEXT = /\{([^{}|]*)\|([^{}|]*)\}/g;

/** Whether the page is in one file, which has no service, and shows its version. */
export const isAlone: boolean = Boolean(globalThis.document?.getElementById('version'));

/** The language that the service has chosen; for one file, that of the address or of the browser. */
export function languageOfDocument(): Language {
  const chosen = isAlone
    ? [new URLSearchParams(location.search).get('lang') ?? '', ...navigator.languages]
    : [globalThis.document?.documentElement.lang ?? ''];
  const known = chosen.flatMap((tag) => LANGUAGES.filter((one) => one === tag.slice(0, 2)));
  return known[0] ?? 'en';
}

/** Replaces the texts of the page in one file by those of a language. */
export function showDocumentIn(language: Language): void {
  const { documentElement, body } = document;
  documentElement.lang = language;
  const inLanguage = (text: string): string =>
    text.replace(TEXT, (_, ...texts: string[]) => texts[LANGUAGES.indexOf(language)] ?? '');
  for (const element of body.querySelectorAll('*:not(script)')) {
    for (const attribute of element.attributes) attribute.value = inLanguage(attribute.value);
    for (const node of element.childNodes) {
      if (node instanceof Text) node.data = inLanguage(node.data);
    }
  }
}
