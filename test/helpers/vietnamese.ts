/** Makes Vietnamese the language of the document, if it is loaded before the modules of the page. */
const nothing = (): null => null;
const document = {
  documentElement: { lang: 'vi' },
  getElementById: nothing,
  querySelector: nothing,
};
Object.assign(globalThis, { document });
