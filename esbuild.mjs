// Builds dist/.   node esbuild.mjs [--watch] [--sourcemap]
import { build, context } from 'esbuild';
import { buildOptions } from './tools/buildOptions.ts';
import { webviewBuildOptions } from './tools/webviewBuildOptions.ts';

const sourcemap = process.argv.includes('--sourcemap') ? 'linked' : false;
const all = [buildOptions(), webviewBuildOptions()].map((options) => ({ ...options, sourcemap }));
if (process.argv.includes('--watch')) {
  for (const options of all) await (await context({ ...options, logLevel: 'info' })).watch();
} else {
  await Promise.all(all.map((options) => build(options)));
}
