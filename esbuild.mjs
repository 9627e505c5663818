// Builds dist/.   node esbuild.mjs [--watch] [--sourcemap]
import { build, context } from 'esbuild';
import { buildOptions } from './tools/buildOptions.ts';

const options = {
  ...buildOptions(),
  sourcemap: process.argv.includes('--sourcemap') ? 'linked' : false,
};
if (process.argv.includes('--watch')) {
  const watcher = await context({ ...options, logLevel: 'info' });
  await watcher.watch();
} else {
  await build(options);
}
