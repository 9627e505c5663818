// Loaded by VS Code's extension host (extensionTestsPath), which calls run().
import * as mochaModule from 'mocha';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { failurePicture } from './support/failurePicture.ts';
import { onPage } from './support/page.ts';

// Node 22 and 24 give different things for require() of an ES module; both have the class under its name.
const { Mocha } = mochaModule as unknown as {
  readonly Mocha: new (options: Mocha.MochaOptions) => Mocha;
};

const TEST_LIMIT_MS = 120_000;
/** A key pressed while VS Code moves the focus goes astray, for the tests as for a person: more tries are fair, and are printed. */
const RETRIES = 2;

/** Runs the suites beside this bundle; appends one JSON line per event to the file that HOST_RESULTS names. */
export async function run(): Promise<void> {
  // For one who works on one test: the others are left out, and it is tried once.
  const only = process.env['HOST_GREP'];
  const mocha = new Mocha({
    ...{ ui: 'bdd', timeout: TEST_LIMIT_MS, color: false, forbidOnly: true },
    retries: only === undefined ? RETRIES : 0,
  });
  if (only !== undefined) mocha.grep(only);
  const suites = (process.env['HOST_SUITES'] ?? '').split(',');
  for (const suite of suites) mocha.addFile(path.join(__dirname, suite));
  const results = process.env['HOST_RESULTS'];
  if (results === undefined) throw new Error('HOST_RESULTS names no file');
  const say = (event: object): void => fs.appendFileSync(results, `${JSON.stringify(event)}\n`);
  mocha.rootHooks({ afterEach: pictureOfFailure });

  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('suite', (suite) => {
        if (!suite.root) say({ kind: 'suite', title: suite.title, depth: depthOf(suite) });
      })
      .on('pass', (test) =>
        say({
          kind: 'pass',
          title: retriesOf(test) > 0 ? `${test.title} (at try ${retriesOf(test) + 1})` : test.title,
          depth: depthOf(test.parent),
          durationMs: test.duration,
        }),
      )
      .on('pending', (test) =>
        say({
          kind: 'pending',
          title: `${test.fullTitle()}${reasonOf(test)}`,
          depth: depthOf(test.parent),
        }),
      )
      .on('retry', (test, error: Error) =>
        say({
          kind: 'retry',
          title: test.title,
          depth: depthOf(test.parent),
          message: error.message,
        }),
      )
      .on('fail', (test, error: Error) =>
        say({
          kind: 'fail',
          title: test.title,
          fullTitle: test.fullTitle(),
          depth: depthOf(test.parent),
          message: error.message,
          stack: error.stack,
        }),
      )
      .once('end', () => say({ kind: 'end' }));
  });
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

function depthOf(suite: Mocha.Suite | undefined): number {
  let depth = 0;
  for (let outer = suite?.parent; outer; outer = outer.parent) depth++;
  return depth;
}

/** test/support/skipBecause.ts leaves the reason on the test. */
function reasonOf(test: Mocha.Test): string {
  const { skipReason } = test as { skipReason?: string };
  return skipReason === undefined ? '' : `: ${skipReason}`;
}

/** What the window looked like when a test failed, in .tmp/host-failures/ of the project. */
async function pictureOfFailure(this: Mocha.Context): Promise<void> {
  if (this.currentTest?.state !== 'failed' || process.env['HOST_PAGE'] === undefined) return;
  await onPage(async ({ page }, file) => {
    await page.screenshot({ path: file });
  }, failurePicture(this.currentTest.fullTitle()));
}

function retriesOf(test: Mocha.Test): number {
  // Mocha counts the tries of a test, and types them nowhere.
  return (test as unknown as { readonly _currentRetry?: number })._currentRetry ?? 0;
}
