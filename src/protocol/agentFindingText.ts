/** One finding of a definition in the words that every place of the product has for it. Foreign text is in it as it came. */
export function agentFindingText({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint: string;
}): string {
  return hint === '' ? message : `${message}. ${hint}`;
}
