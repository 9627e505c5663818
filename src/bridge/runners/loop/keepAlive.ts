const GAP_MS = 1_000;

/** Says again and again that something is going on, while `work` is: a tool, or a pause, that is no silence of the model. */
export async function keepAlive<T>(say: () => void, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(say, GAP_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    say();
  }
}
