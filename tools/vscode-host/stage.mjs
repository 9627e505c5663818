import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { buildOptions } from '../buildOptions.ts';
import { vsixFiles } from '../vsixFiles.mjs';

const BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  external: ['vscode', 'mocha'],
  sourcemap: 'inline',
  logLevel: 'warning',
};

/** The suites that run inside the extension host, each with what it imports, and their mocha, into `folder`. */
export async function bundleSuites(folder) {
  const { define } = buildOptions();
  await build({
    ...BUNDLE,
    define,
    entryPoints: [
      'test/host/index.ts',
      ...fs.globSync('test/host/*.test.ts').filter((file) => !file.endsWith('.outside.test.ts')),
    ],
    outdir: folder,
  });
}

/** A copy of exactly what the VSIX contains, so that a file that is missing there is missing here. Returns where it is. */
export function stageExtension(folder) {
  const staged = path.join(folder, 'extension');
  for (const file of vsixFiles()) {
    fs.mkdirSync(path.dirname(path.join(staged, file)), { recursive: true });
    fs.copyFileSync(file, path.join(staged, file));
  }
  return staged;
}

/** Another copy, whose main is test/host/support/traced/tracedExtension.ts. Returns where it is. */
export async function stageTraced(staged) {
  const traced = fs.mkdtempSync(`${staged}-traced-`);
  fs.cpSync(staged, traced, { recursive: true });
  const manifestFile = path.join(traced, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
  fs.writeFileSync(manifestFile, JSON.stringify({ ...manifest, main: './dist/traced.cjs' }));
  await build({
    ...BUNDLE,
    entryPoints: {
      traced: 'test/host/support/traced/tracedExtension.ts',
      empty: 'test/host/support/traced/emptyExtension.ts',
    },
    outdir: path.join(traced, 'dist'),
  });
  return traced;
}
