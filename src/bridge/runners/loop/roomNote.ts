const NOTE = /^\[\d+ characters were left out here to save room\./;

/** What stands in the history in place of a long text. */
export function roomNote(characters: number, advice: string): string {
  return `[${characters} characters were left out here to save room. ${advice}]`;
}

/** Whether a text is such a note: a model that writes one into a file has copied it instead of the text. */
export function isRoomNote(text: string): boolean {
  return NOTE.test(text.trimStart());
}
