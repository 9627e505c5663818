// Mocha's spec reporter that also writes the totals, as JSON, to the file of the reporter option `totals`.
import { writeFileSync } from 'node:fs';
import { reporters } from 'mocha';

// Mocha loads a reporter by its default export.
export default class TotalsReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    // test/support/skipBecause.ts leaves the reason on the test.
    runner.on('pending', (test) =>
      skipped.push(`${test.fullTitle()}${test.skipReason ? `: ${test.skipReason}` : ''}`),
    );
    runner.once('end', () => {
      const { passes, failures } = runner.stats;
      writeFileSync(
        options.reporterOptions.totals,
        JSON.stringify({ passed: passes, failed: failures, skipped }),
      );
    });
  }
}
