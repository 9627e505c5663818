import type { BuildOptions, Plugin } from 'esbuild';

const ENTRIES = [
  { in: 'webview-ui/jobPanel/main.ts', out: 'jobPanel' },
  { in: 'webview-ui/jobPanel/jobPanel.css', out: 'jobPanel' },
  { in: 'webview-ui/registryForm/main.ts', out: 'registryForm' },
  { in: 'webview-ui/registryForm/registryForm.css', out: 'registryForm' },
  { in: '@vscode/codicons/dist/codicon.css', out: 'codicon' },
];

/** The icon font's licence asks to name its makers wherever it is handed on: the words go into the style sheet that loads it. */
const CODICON_NOTICE = `/*! Codicons, (c) Microsoft Corporation, https://github.com/microsoft/vscode-codicons: the icons under the Creative Commons
   Attribution 4.0 International Public License (https://creativecommons.org/licenses/by/4.0/legalcode), the code under the MIT License.
   Unchanged. */`;

const codiconNotice: Plugin = {
  name: 'codicon-notice',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]codicon\.css$/ }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      // The font is named with a hash behind it, for caches that a webview does not have.
      const css = (await readFile(path, 'utf8')).replace(/codicon\.ttf\?[0-9a-f]+/, 'codicon.ttf');
      return { contents: `${CODICON_NOTICE}\n${css}`, loader: 'css' };
    });
  },
};

/** What esbuild makes dist/webview/ with: browser code, and what it shows. Not part of the npm package. */
export function webviewBuildOptions(): BuildOptions {
  return {
    entryPoints: ENTRIES,
    outdir: 'dist/webview',
    assetNames: '[name]',
    bundle: true,
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
    minify: true,
    legalComments: 'eof',
    loader: { '.ttf': 'file' },
    metafile: true,
    logLevel: 'warning',
    plugins: [codiconNotice],
  };
}
