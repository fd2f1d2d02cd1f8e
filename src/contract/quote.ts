/** A text in double quotes, for messages: characters that are invisible, or that reorder a line, become escapes. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
    const hex = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
  });
}
