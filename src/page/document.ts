/*
 * The document of the page in one file has its texts in both languages, as `{English|tiếng Việt}`:
 * no service chooses one. Runs before the other modules, which read the language of the document.
 */
import { LANGUAGES } from './numbers.ts';

const TEXT = /\{([^{}|]*)\|([^{}|]*)\}/g;

if (globalThis.document?.getElementById('version')) chooseLanguage(document);

function chooseLanguage({ documentElement, body }: Document): void {
  const requested = new URLSearchParams(location.search).get('lang');
  const preferred = [requested ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  const language =
    LANGUAGES.find(
      (tag) => tag === preferred.find((one) => LANGUAGES.some((known) => known === one)),
    ) ?? 'en';
  documentElement.lang = language;
  const inLanguage = (text: string): string =>
    text.replace(TEXT, (_, english: string, vietnamese: string) =>
      language === 'vi' ? vietnamese : english,
    );
  for (const element of body.querySelectorAll('*:not(script)')) {
    for (const attribute of element.attributes) attribute.value = inLanguage(attribute.value);
    for (const node of element.childNodes) {
      if (node instanceof Text) node.data = inLanguage(node.data);
    }
  }
}
