/** The parts of a Markdown document that the tests compare with the code. */
import assert from 'node:assert/strict';
import { readText } from './repository.ts';

/** A link, as written. */
export interface Link {
  readonly title: string;
  readonly target: string;
}

/** A document of the repository. */
export class Document {
  readonly path: string;
  readonly text: string;

  constructor(path: string) {
    this.path = path;
    this.text = readText(path);
  }

  /** The headings of a level, or of all levels, without those in code. */
  headings(level = '#{1,6}'): string[] {
    const prose = this.text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
    return [...prose.matchAll(new RegExp(`^${level} (.+)$`, 'gm'))].map(
      ([, heading = '']) => heading,
    );
  }

  /** The text from a heading to the next heading, with its lines as written. */
  section(heading: string): string {
    const start = this.text.search(
      new RegExp(`^#{1,6} ${heading.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm'),
    );
    assert.notEqual(start, -1, `${this.path}: add the section "${heading}"`);
    const text = this.text.slice(this.text.indexOf('\n', start) + 1);
    const end = text.search(/^#{1,6} /m);
    return end === -1 ? text : text.slice(0, end);
  }

  /** The rows of a table in a section, as cells; the first table by default. */
  table(heading: string, index = 0): string[][] {
    const tables = [...this.section(heading).matchAll(/^\|.*\|\n\|[-|]+\|\n((?:\|.*\|\n?)*)/gm)];
    assert.ok(tables[index] !== undefined, `${this.path}: "${heading}" has no table ${index + 1}`);
    const rows = tables[index][1]!.trimEnd().split('\n');
    return rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }

  /** The blocks of code in a language. */
  code(language: string): string[] {
    return [
      ...this.text.matchAll(new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')),
    ].map(([, code = '']) => code);
  }

  /** The links in a text of the document. */
  links(text: string = this.text): Link[] {
    return [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', target = '']) => ({
      title,
      target,
    }));
  }
}

/** The names in backticks in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-')}`;
}

/** A text of several lines as one, for comparisons with a sentence. */
export function unfolded(text: string): string {
  return text.replace(/\s+/g, ' ');
}
