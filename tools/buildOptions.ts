import type { BuildOptions, Plugin } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';

/** One bundle per process, and what it is made from. */
const ENTRIES = {
  extension: 'src/extension.ts',
  mcpClient: 'src/host/bridge/uiSession.ts',
  jobPanel: 'src/host/jobPanel/readPageMessage.ts',
  server: 'src/server/main.ts',
  serverMain: 'src/server/serverMain.ts',
  jobHost: 'src/jobHost/main.ts',
  cli: 'src/cli/main.ts',
  languageServer: 'src/languageServer/main.ts',
  uninstall: 'src/cli/uninstallMain.ts',
};

// The MCP client is a bundle of its own that the extension loads at its first start of the server, so that activation stays short.
const lazyMcpClient: Plugin = {
  name: 'lazy-mcp-client',
  setup(builder) {
    builder.onResolve({ filter: /\/uiSession\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './mcpClient.cjs', external: true } : undefined,
    );
  },
};

// What checks the messages of a webview is loaded with the first webview.
const lazyJobPanel: Plugin = {
  name: 'lazy-job-panel',
  setup(builder) {
    builder.onResolve({ filter: /\/readPageMessage\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './jobPanel.cjs', external: true } : undefined,
    );
  },
};

// The server's first bundle is small: it makes ready where the compiled code of the second one is kept.
const serverInTwo: Plugin = {
  name: 'server-in-two',
  setup(builder) {
    builder.onResolve({ filter: /\/serverMain\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './serverMain.cjs', external: true } : undefined,
    );
  },
};

// The SDK's server loads a JSON Schema validator (250 kB) for answers to elicitation, which this server never asks for.
const noServerAjv: Plugin = {
  name: 'no-server-ajv',
  setup(builder) {
    builder.onResolve({ filter: /\/ajv-provider\.js$/ }, ({ importer }) =>
      /[\\/]server[\\/]index\.js$/.test(importer)
        ? { path: 'no-validator', namespace: 'no-server-ajv' }
        : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'no-server-ajv' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** What esbuild makes dist/ with. Every library is bundled, so neither the VSIX nor the npm package has dependencies. */
export function buildOptions(): BuildOptions {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return {
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(file))),
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    define: { 'process.env.DELEGATE_VERSION': JSON.stringify(version) },
    // import() becomes require(): the extension host of VS Code loads its modules with require.
    supported: { 'dynamic-import': false },
    external: ['vscode'],
    plugins: [lazyMcpClient, lazyJobPanel, serverInTwo, noServerAjv],
  };
}
