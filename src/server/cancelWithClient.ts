import type { ToolContext } from './tool.ts';

/** Ends the job when the client cancels the call or leaves while it waits. Disposed when the call has its answer. */
export function cancelWithClient(
  jobId: string,
  { bridge, caller, signal, onAbandoned }: ToolContext,
): { dispose(): void } {
  const cancel = (): void => onAbandoned(bridge.cancel(jobId, caller));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return { dispose: () => signal.removeEventListener('abort', cancel) };
}
