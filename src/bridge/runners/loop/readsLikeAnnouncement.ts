const LONGEST_ANNOUNCEMENT = 600;
const OPENINGS =
  /^(?:(?:ok(?:ay)?|sure|great|good|perfect|alright|now|next|first|then|so)[,.!:]?\s+)*(?:let['’]s\b|let me\b(?! know)|i['’]ll\b|i will\b(?! not)|i['’]m going to\b|i am going to\b|(?:now|next),? i\b|going to\b)/i;

/** Whether a text only says what is going to be done: a model that ends with one has stopped before the work. */
export function readsLikeAnnouncement(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST_ANNOUNCEMENT) return false;
  if (trimmed.endsWith(':')) return true;
  const sentences = trimmed
    .split(/(?<=[.!?…])\s+|\n+/)
    .filter((sentence) => sentence.trim() !== '');
  return OPENINGS.test((sentences.at(-1) ?? '').trim());
}
