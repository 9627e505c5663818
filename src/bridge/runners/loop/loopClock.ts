/** Time as the loop sees it: monotonic, so that a changed system clock moves no deadline. */
export interface LoopClock {
  nowMs(): number;
  /** Runs `run` once after the delay; the function given back calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const SYSTEM_CLOCK: LoopClock = {
  nowMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
