const POLL_MS = 1_000;

/** Calls `onGone` once when the process that started this one is no longer its parent: then nobody reads the answers. */
export function watchParent(
  onGone: () => void,
  parentPid: () => number = () => process.ppid,
): { dispose(): void } {
  const first = parentPid();
  const timer = setInterval(() => {
    if (parentPid() === first) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}
