/** The API reference: the document of the API, which is in English. */
import { type Child, element } from './frame/dom.ts';
import type { View } from './frame/panel.ts';
import { table } from './frame/tables.ts';
import { addTexts } from './frame/texts.ts';

addTexts(`
title.api | API reference | Tài liệu API
about.api | Every operation, field and failure of the service.
  | Mọi phép tính, trường và lỗi của dịch vụ. Tài liệu bằng tiếng Anh.
`);

/** The parts of Markdown that the document has: code, a heading, a table, a list, and a paragraph. */
const BLOCKS = new RegExp(
  [
    '^```.*\\n([^]*?)```$',
    '^##+ (.+)',
    '((?:^\\|.*\\n)+)',
    '((?:^- .*\\n(?: .*\\n)*)+)',
    '((?:^(?!```|#|\\||- ).+\\n)+)',
  ].join('|'),
  'gm',
);

/** Creates the reference; the query of its address is the id of a heading. */
export async function createTool(query: string): Promise<View> {
  const response = await fetch('page/api.md', { credentials: 'omit' });
  const blocks = (await response.text()).matchAll(BLOCKS);
  return {
    node: element('div.tool.reference', { lang: 'en' }, nodesOf(blocks)),
    start: () => document.getElementById(query)?.scrollIntoView(),
  };
}

function nodesOf(blocks: Iterable<RegExpMatchArray>): HTMLElement[] {
  let title = ''; // of the section, which names its tables
  return [...blocks].map(([block, code, heading, rows, items, words = '']) => {
    if (code !== undefined) return element('pre', { translate: 'no' }, element('code', code));
    if (rows !== undefined) return tableOf(title, rows);
    if (items !== undefined) {
      const parts = items.slice(2).split('\n- ');
      return element(
        'ul',
        parts.map((item) => element('li', inline(item))),
      );
    }
    if (heading === undefined) return element('p', inline(words));
    title = heading;
    return element(block.startsWith('###') ? 'h3' : 'h2', { id: idOf(title) }, inline(heading));
  });
}

/** The id of a heading, as in the links of the document. */
function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w ]/g, '')
    .replaceAll(' ', '-');
}

function tableOf(title: string, lines: string): HTMLElement {
  const [head = [], , ...rows] = lines
    .trim()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '));
  return table(
    'prose',
    [title, ...head].join(', ').replaceAll('`', ''),
    head.map(inline),
    rows.map((cells) => cells.map(inline)),
  );
}

/** Code, strong words and links, of which those to other documents are left out. */
function inline(words: string): Child[] {
  return words.split(/(`.+?`|\*\*.+?\*\*|\[.+?\]\(.+?\))/).map((part) => {
    const [, label, id = ''] = /^\[(.+)\]\(#(.+)\)$/.exec(part) ?? [];
    if (label !== undefined) return element('a', { href: `#api?${id}` }, label);
    if (part.startsWith('`')) return element('code', part.slice(1, -1));
    return part.startsWith('**') ? element('strong', part.slice(2, -2)) : part;
  });
}
