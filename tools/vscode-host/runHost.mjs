// Runs a mocha suite inside a real VS Code extension host and prints it as mocha would.
import { format } from 'node:util';
import { EventPrinter } from './eventPrinter.mjs';
import { startHost } from './startHost.mjs';

/**
 * Takes the options of startHost; `timeoutMs`, the limit of the whole run; `onOpen`, which is handed the page; and `print`.
 * Resolves to { passed, failures: text[], skipped: title[] }; a run that did not come to its end counts as one more failure.
 */
export async function runHost({
  timeoutMs,
  onOpen = () => {},
  print = (line) => console.log(line),
  ...options
}) {
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
    print(`VS Code did not open and is started once more: ${String(error).split('\n')[0]}`);
    return startHost(hostOptions);
  });
  const printer = new EventPrinter(host.results, print);
  const tick = setInterval(() => printer.drain(), 100);
  onOpen(host.page);
  const code = await Promise.race([
    exited,
    new Promise((resolve) => host.page.once('crash', () => resolve('the page crashed'))),
    new Promise((resolve) =>
      setTimeout(resolve, timeoutMs, `no result in ${timeoutMs / 1000} s`).unref(),
    ),
  ]);
  clearInterval(tick);
  printer.drain();
  await host.stop();

  printer.printFailures();
  if (host.outside.length > 0)
    print(`\nblocked requests to other hosts: ${[...new Set(host.outside)].join(', ')}`);
  const isWhole = typeof code === 'number' && printer.hasEnded;
  const { failures } = printer;
  if (!isWhole) {
    failures.push(`mocha did not finish: ${code}`);
    print(`\n${failures.at(-1)}\n${[...host.log.slice(-20), ...errors.slice(0, 10)].join('\n')}`);
  } else if (code !== 0 && failures.length === 0)
    failures.push(`VS Code ended with ${code}, though no test failed`);
  return { passed: printer.passed, failures, skipped: printer.skipped };
}
