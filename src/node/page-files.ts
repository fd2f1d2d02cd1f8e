/** The files of the page. The bundle has a module of its own in place of this one. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../page/', import.meta.url);

/** The names of the files of the page. */
export function pageFiles(): string[] {
  return readdirSync(FOLDER);
}

/** Reads a file of the page. */
export function readPageFile(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
