/** Maximum characters of a received text in a message. */
export const MAXIMUM_SHOWN_LENGTH = 40;

/** A text in double quotes, for messages: characters that are invisible, or that reorder a line, become escapes. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
    const hex = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
  });
}

/** The beginning of a text in double quotes, with an ellipsis if the text is longer. */
export function quoteShort(text: string): string {
  return quote(text.length > MAXIMUM_SHOWN_LENGTH ? `${text.slice(0, MAXIMUM_SHOWN_LENGTH)}…` : text);
}
