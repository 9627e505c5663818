// Builds the bundles of dist/: one per process. Every library is bundled, so neither the VSIX nor the npm package has dependencies.
import { build, context } from 'esbuild';
import { existsSync, writeFileSync } from 'node:fs';

const node = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  minifySyntax: true,
  sourcemap: process.argv.includes('--sourcemap') ? 'linked' : false,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.DELEGATE_VERSION': JSON.stringify((await import('./package.json', { with: { type: 'json' } })).default.version) },
};

const entries = {
  extension: 'src/extension.ts',
  server: 'src/server/main.ts',
  jobHost: 'src/jobHost/main.ts',
  cli: 'src/cli/main.ts',
  delegateWait: 'src/cli/delegateWait.ts',
  languageServer: 'src/languageServer/main.ts',
};
const present = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
const options = { ...node, entryPoints: present, external: ['vscode'] };

if (process.argv.includes('--watch')) {
  const watcher = await context({ ...options, logLevel: 'info' });
  await watcher.watch();
} else {
  const result = await build(options);
  writeFileSync('dist/meta.json', JSON.stringify(result.metafile));
}
