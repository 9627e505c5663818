/** Writes a text only where it is another one: a selection in it stays, and a screen reader is not told twice. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
