/** Maximum characters of a received text in an answer. */
export const MAXIMUM_SHOWN_LENGTH = 40;

/** Replaces characters that are invisible, that reorder a line, or that a terminal obeys, by escapes. */
export function escapeInvisible(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
    const hex = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
  });
}

/** A text in double quotes, for messages. */
export function quoted(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** The beginning of a received text, with an ellipsis if the text is longer. */
export function shortened(text: string): string {
  const isShort = text.length <= MAXIMUM_SHOWN_LENGTH;
  return isShort ? text : `${text.slice(0, MAXIMUM_SHOWN_LENGTH)}…`;
}

/** The beginning of a received text in double quotes, for messages. */
export function quotedShort(text: string): string {
  return quoted(shortened(text));
}
