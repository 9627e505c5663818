/** Whether a model is one of those that are never replaced and never a replacement, by the prefixes of `failover.pinned`, in any case. */
export function isPinned(pinned: readonly string[], model: string): boolean {
  const name = model.toLowerCase();
  return pinned.some((prefix) => name.startsWith(prefix.toLowerCase()));
}
