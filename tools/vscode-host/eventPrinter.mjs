import fs from 'node:fs';

/** Prints the events that test/host/index.ts appends to its file, as they come. */
export class EventPrinter {
  passed = 0;
  skipped = [];
  failed = [];
  hasEnded = false;
  #file;
  #print;
  #read = 0;

  constructor(file, print) {
    this.#file = file;
    this.#print = print;
  }

  drain() {
    const lines = fs.readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.#read)) this.#take(JSON.parse(line));
    this.#read = lines.length;
  }

  #take(event) {
    const indent = '  '.repeat(event.depth ?? 0);
    switch (event.kind) {
      case 'suite':
        this.#print(`\n${indent}${event.title}`);
        break;
      case 'pass':
        this.passed++;
        this.#print(
          `${indent}  ✔ ${event.title}${event.durationMs > 75 ? ` (${event.durationMs}ms)` : ''}`,
        );
        break;
      case 'pending':
        this.skipped.push(event.title);
        this.#print(`${indent}  - ${event.title}`);
        break;
      case 'retry':
        this.#print(`${indent}  ↻ ${event.title}: ${event.message.split('\n')[0]}`);
        break;
      case 'fail':
        this.failed.push(event);
        this.#print(`${indent}  ${this.failed.length}) ${event.title}`);
        break;
      case 'end':
        this.hasEnded = true;
        break;
      default:
        throw new Error(`unknown event ${event.kind}`);
    }
  }

  /** One text for each: which test, and what it said. */
  get failures() {
    return this.failed.map(({ fullTitle, message }) => `${fullTitle}\n${message}`);
  }

  printFailures() {
    for (const [index, { fullTitle, stack, message }] of this.failed.entries()) {
      this.#print(`\n  ${index + 1}) ${fullTitle}:\n${(stack ?? message).replace(/^/gm, '     ')}`);
    }
  }
}
