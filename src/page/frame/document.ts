/* The document: sent by a service, in one language; or in one file, with its body in both languages. */
import { type Language, LANGUAGES } from './numbers.ts';

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

/** Shows the body of the page in one file in a language: the document has the first, a template the other. */
export function showDocumentIn(language: Language): void {
  const { documentElement, body } = document;
  documentElement.lang = language;
  const other = document.querySelector<HTMLTemplateElement>(`template[lang=${language}]`);
  if (other !== null) body.replaceChildren(other.content);
}
