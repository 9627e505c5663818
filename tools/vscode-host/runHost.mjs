// Runs a mocha suite inside a real VS Code extension host and prints it as mocha would.
import fs from 'node:fs';
import { format } from 'node:util';
import { startHost } from './startHost.mjs';

/**
 * Takes the options of startHost; `timeoutMs`, the limit of the whole run; and `drive`, which may act on the page meanwhile,
 * as a person would: what it fails at is printed, and the suite that waits for it fails.
 * Resolves to { passed, failed, skipped: title[] }; a run that did not come to its end counts as one more failure.
 */
export async function runHost({ timeoutMs, drive = async () => {}, ...options }) {
  let onExit;
  const exited = new Promise((resolve) => (onExit = resolve));
  const errors = [];
  const hostOptions = {
    ...options,
    onExit,
    onLog: (type, args) => {
      if (options.verbose) console.error(`[vscode ${type}]`, ...args);
      if (type === 'error') errors.push(format(...args));
    },
  };
  // A browser page can crash while it loads on a machine under load; no test has run by then. Once is bad luck, twice is not.
  const host = await startHost(hostOptions).catch((error) => {
    console.error(`VS Code did not open and is started once more: ${String(error).split('\n')[0]}`);
    return startHost(hostOptions);
  });
  const printer = new EventPrinter(host.results);
  const tick = setInterval(() => printer.drain(), 100);
  let isOver = false;
  drive(host.page).catch((error) => {
    if (!isOver) console.error(`driving the page: ${error}`);
  });
  const code = await Promise.race([
    exited,
    new Promise((resolve) => host.page.once('crash', () => resolve('the page crashed'))),
    new Promise((resolve) =>
      setTimeout(resolve, timeoutMs, `no result in ${timeoutMs / 1000} s`).unref(),
    ),
  ]);
  isOver = true;
  clearInterval(tick);
  printer.drain();
  await host.stop();

  printer.printFailures();
  if (host.outside.length > 0)
    console.log(`\nblocked requests to other hosts: ${[...new Set(host.outside)].join(', ')}`);
  const isWhole = typeof code === 'number' && printer.hasEnded;
  if (!isWhole) {
    console.log(
      `\nmocha did not finish: ${code}\n${[...host.log.slice(-20), ...errors.slice(0, 10)].join('\n')}`,
    );
  }
  const isLost = !isWhole || (code !== 0 && printer.failed.length === 0);
  return {
    passed: printer.passed,
    failed: printer.failed.length + (isLost ? 1 : 0),
    skipped: printer.skipped,
  };
}

/** Prints the events that test/host/index.ts appends to its file, as they come. */
class EventPrinter {
  passed = 0;
  skipped = [];
  failed = [];
  hasEnded = false;
  #file;
  #read = 0;

  constructor(file) {
    this.#file = file;
  }

  drain() {
    const lines = fs.readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.#read)) this.#print(JSON.parse(line));
    this.#read = lines.length;
  }

  #print(event) {
    const indent = '  '.repeat(event.depth ?? 0);
    switch (event.kind) {
      case 'suite':
        console.log(`\n${indent}${event.title}`);
        break;
      case 'pass':
        this.passed++;
        console.log(
          `${indent}  ✔ ${event.title}${event.durationMs > 75 ? ` (${event.durationMs}ms)` : ''}`,
        );
        break;
      case 'pending':
        this.skipped.push(event.title);
        console.log(`${indent}  - ${event.title}`);
        break;
      case 'fail':
        this.failed.push(event);
        console.log(`${indent}  ${this.failed.length}) ${event.title}`);
        break;
      case 'end':
        this.hasEnded = true;
        break;
      default:
        throw new Error(`unknown event ${event.kind}`);
    }
  }

  printFailures() {
    for (const [index, { fullTitle, stack, message }] of this.failed.entries()) {
      console.log(`\n  ${index + 1}) ${fullTitle}:\n${(stack ?? message).replace(/^/gm, '     ')}`);
    }
  }
}
