// Mocha's spec reporter that also writes the totals, as JSON, to the file of the reporter option `totals`.
import { writeFileSync } from 'node:fs';
import { reporters } from 'mocha';

/** How long after the last test the process may take to end by itself. */
const END_LIMIT_MS = 15_000;

// Mocha loads a reporter by its default export.
export default class TotalsReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const failures = [];
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}\n${error.message}`));
    // test/support/skipBecause.ts leaves the reason on the test.
    runner.on('pending', (test) =>
      skipped.push(`${test.fullTitle()}${test.skipReason ? `: ${test.skipReason}` : ''}`),
    );
    // What failed at first, where a layer allows a second try.
    const firstErrors = new Map();
    const secondTry = [];
    runner.on('retry', (test, error) => firstErrors.set(test.fullTitle(), error.message));
    runner.on('pass', (test) => {
      const error = firstErrors.get(test.fullTitle());
      if (error !== undefined) secondTry.push(`${test.fullTitle()}\n${error}`);
    });
    const write = () => {
      const totals = { passed: runner.stats.passes, failures, skipped, secondTry };
      writeFileSync(options.reporterOptions.totals, JSON.stringify(totals));
    };
    runner.once('end', () => {
      write();
      // Unreferenced, so it fires only when something else keeps the process alive: a test that has not cleaned up.
      setTimeout(() => {
        const left = process.getActiveResourcesInfo().join(', ');
        failures.push(`A test left something open: ${left}`); // mocha sets the exit code to its own count
        console.error(failures.at(-1));
        write();
        process.exit();
      }, END_LIMIT_MS).unref();
    });
  }
}
