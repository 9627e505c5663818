import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { acceptFiles } from './acceptFiles.ts';
import { activation } from './activation.ts';
import { type Bench, type Figure, summary } from './figure.ts';
import { gatewayOverhead } from './gatewayOverhead.ts';
import { keptPrefix } from './keptPrefix.ts';
import { loopPrefix } from './loopPrefix.ts';
import { loopOverhead } from './loopOverhead.ts';
import { promptHook } from './promptHook.ts';
import { serverMemory } from './serverMemory.ts';
import { serverStart } from './serverStart.ts';
import { submitToRequest } from './submitToRequest.ts';
import { worktreeCreation } from './worktreeCreation.ts';

/**
 * `npm run bench [-- --only NAME] [-- --runs N]`: what the bridge costs, each figure as a ratio beside a bare equivalent that was
 * measured in turn with it in the same run, so that a slow or busy machine moves both. How each is measured stands at the head of
 * its file. Prints a table and writes every value to dist/bench.json. Needs the bundles in dist/ and Claude Code in node_modules.
 */
const BENCHES: Readonly<Record<string, { readonly bench: Bench; readonly runs: number }>> = {
  serverStart: { bench: serverStart, runs: 15 },
  submitToRequest: { bench: submitToRequest, runs: 7 },
  gatewayOverhead: { bench: gatewayOverhead, runs: 9 },
  keptPrefix: { bench: keptPrefix, runs: 1 },
  loopOverhead: { bench: loopOverhead, runs: 15 },
  worktreeCreation: { bench: worktreeCreation, runs: 3 },
  serverMemory: { bench: serverMemory, runs: 3 },
  acceptFiles: { bench: acceptFiles, runs: 5 },
  activation: { bench: activation, runs: 9 },
  promptHook: { bench: promptHook, runs: 25 },
  loopPrefix: { bench: loopPrefix, runs: 1 },
};

const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string' } } });
const names = Object.keys(BENCHES).filter(
  (name) => values.only === undefined || values.only === name,
);
const asked = values.runs === undefined ? null : Number(values.runs);
if (names.length === 0) throw new Error(`--only takes one of: ${Object.keys(BENCHES).join(', ')}`);
if (asked !== null && !(Number.isInteger(asked) && asked > 0))
  throw new Error('--runs takes a whole number above 0');

const figures: Figure[] = [];
for (const name of names) {
  const entry = BENCHES[name];
  if (entry === undefined) continue;
  const startedMs = performance.now();
  const found = await entry.bench(asked ?? entry.runs);
  figures.push(...found);
  for (const figure of found) console.log(row(figure));
  console.log(`  (${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}
writeFileSync('dist/bench.json', `${JSON.stringify(report(figures), null, 2)}\n`);

function report(measured: readonly Figure[]) {
  return {
    v: 1,
    at: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}, ${cpus().length} cores`,
    figures: measured.map(({ name, unit, ours, beside }) => ({
      name,
      unit,
      ratio: ratio({ ours, beside }),
      ours: { ...summary(ours), values: ours },
      beside: { what: beside.what, ...summary(beside.values), values: beside.values },
    })),
  };
}

function row({ name, unit, ours, beside }: Figure): string {
  return [
    `${name}: ${ratio({ ours, beside }).toFixed(2)}×`,
    `  ${cells(ours)} ${unit}`,
    `  ${cells(beside.values)} ${unit}, ${beside.what}`,
  ].join('\n');
}

function cells(measured: readonly number[]): string {
  const { n, median, min, max } = summary(measured);
  return `median ${number(median)}, ${number(min)}–${number(max)}, n ${n}`.padEnd(44);
}

function number(value: number): string {
  return value.toFixed(value < 10 ? 3 : value < 100 ? 1 : 0);
}

function ratio({ ours, beside }: Pick<Figure, 'ours' | 'beside'>): number {
  return summary(ours).median / summary(beside.values).median;
}
