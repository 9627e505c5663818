/** Selects the control of a key of models.yaml, as the page of the form names it. */
export function keyIdOf(path: string): string {
  return `[id="key:${encodeURIComponent(path)}"]`;
}
