import { createContext, Script } from 'node:vm';

/**
 * Runs work that may never end, and stops it: a regular expression that backtracks without end cannot be stopped from
 * outside, but V8 ends what was called from a script with a time limit, wherever it is.
 * @returns null when the time was over
 */
export class TimedWork {
  readonly #script = new Script('work()');
  readonly #context: { work: () => void } = { work: () => undefined };

  constructor() {
    createContext(this.#context);
  }

  run<Result>(timeoutMs: number, work: () => Result): { readonly result: Result } | null {
    let result: { readonly result: Result } | null = null;
    this.#context.work = () => {
      result = { result: work() };
    };
    try {
      this.#script.runInContext(this.#context, { timeout: timeoutMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
      throw error;
    }
    return result;
  }
}
