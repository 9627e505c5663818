import { BridgeError } from '../../base/bridgeError.ts';

/**
 * What `work` gives, unless it takes longer; it goes on all the same.
 * @throws BridgeError timeout with `message`
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  limitMs: number,
  message: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new BridgeError('timeout', message)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
