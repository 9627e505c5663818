/** Foreign text for a label or a description, in which VS Code would show `$(error)` as an icon. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
