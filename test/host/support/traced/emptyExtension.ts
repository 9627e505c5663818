/** What the activation of an extension costs that does nothing. */
export function activate(): void {
  // nothing
}
