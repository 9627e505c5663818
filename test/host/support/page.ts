import { type AsyncFunc, it } from 'mocha';
import { skipBecause } from '../../support/skipBecause.ts';
import type { Driver } from './driver.ts';

const URL_OF_PAGE = process.env['HOST_PAGE'];

/**
 * Runs `act` outside of VS Code, beside the page, and gives what it returns:
 *
 *     const text = await onPage(({ page }, name) => page.getByRole('treeitem', { name }).innerText(), 'Fix it');
 *
 * The function goes over as text: it sees its two arguments and nothing of the file it stands in; input and result are JSON.
 */
export async function onPage<Result, Input = undefined>(
  act: (driver: Driver, input: Input) => Promise<Result> | Result,
  ...[input]: Input extends undefined ? [] : [input: Input]
): Promise<Result> {
  if (URL_OF_PAGE === undefined) throw new Error('Nobody drives the page here: use itOnPage.');
  const response = await fetch(URL_OF_PAGE, {
    method: 'POST',
    body: JSON.stringify({ source: act.toString(), input }),
  });
  const answer = (await response.json()) as { result: Result; error?: string };
  if (answer.error !== undefined) throw new Error(`on the page: ${answer.error}`);
  return answer.result;
}

/** A picture for the README; see `shot` of driver.ts. */
export async function shot(name: string, selector?: string): Promise<void> {
  await onPage((driver, input) => driver.shot(input.name, input.selector), { name, selector });
}

/** A test that needs somebody at the page. Where nobody is (a desktop VS Code, `--electron`) it is skipped and says so. */
export function itOnPage(name: string, test: AsyncFunc): void {
  it(
    name,
    URL_OF_PAGE !== undefined
      ? test
      : function () {
          skipBecause(this, 'nobody drives the page of a desktop VS Code');
        },
  );
}
