const LIMIT_MS = 2_000;

/** Whether a rehearsal server answers there now. Asks this machine only: an address of a workspace file could be any. */
export async function isRehearsal(baseUrl: string): Promise<boolean> {
  if (!isLoopback(baseUrl)) return false;
  try {
    const response = await fetch(new URL('/props', baseUrl), {
      signal: AbortSignal.timeout(LIMIT_MS),
      redirect: 'error',
    });
    const body: unknown = await response.json();
    return (body as { build_info?: unknown } | null)?.build_info === 'rehearsal';
  } catch (error) {
    // Nothing listens, it is too slow, or it is something else: all of that is a no.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Whether an address can lead nowhere but to this machine. */
export function isLoopback(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}
