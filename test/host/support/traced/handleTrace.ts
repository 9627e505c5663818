import { createHook, type AsyncHook } from 'node:async_hooks';

/** What keeps a process alive or calls back later. */
const HANDLES = new Set([
  ...['Timeout', 'Immediate', 'PROCESSWRAP', 'PIPEWRAP', 'TCPWRAP', 'TCPSERVERWRAP', 'UDPWRAP'],
  ...['FSEVENTWRAP', 'STATWATCHER', 'SIGNALWRAP', 'WORKER', 'MESSAGEPORT', 'FILEHANDLE'],
]);
const STACK_FRAMES = 40;

/** Keeps, for every living handle that code in `folder` has made, where that was. */
export class HandleTrace {
  readonly #alive = new Map<number, string>();
  readonly #hook: AsyncHook;

  constructor(folder: string) {
    this.#hook = createHook({
      init: (id, type) => {
        if (!HANDLES.has(type)) return;
        const stack = stackHere();
        // The code that asked Node for it; what VS Code's own code makes on a call of ours is VS Code's.
        const maker = stack.find((frame) => !/node:|\(native\)|\/traced\.cjs:/.test(frame));
        if (maker?.includes(folder) === true) this.#alive.set(id, [type, ...stack].join('\n'));
      },
      destroy: (id) => {
        this.#alive.delete(id);
      },
    }).enable();
  }

  /** One text for each: its kind and the stack that made it. */
  alive(): string[] {
    return [...this.#alive.values()];
  }

  stop(): void {
    this.#hook.disable();
  }
}

function stackHere(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return (stack ?? '').split('\n').slice(3);
}
