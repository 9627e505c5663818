import type { BuildOptions, Plugin } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';

/** One bundle per process, and what it is made from. */
const ENTRIES = {
  extension: 'src/extension.ts',
  mcpClient: 'src/host/bridge/uiSession.ts',
  jobPanel: 'src/host/jobPanel/readPageMessage.ts',
  languageClient: 'src/host/modelsLanguage/languageSession.ts',
  registryForm: 'src/host/registryForm/readFormMessage.ts',
  server: 'src/server/main.ts',
  serverMain: 'src/server/serverMain.ts',
  jobHost: 'src/jobHost/main.ts',
  cli: 'src/cli/main.ts',
  languageServer: 'src/languageServer/main.ts',
  uninstall: 'src/cli/uninstallMain.ts',
};

/** Bundles of their own that the extension loads when they are needed, so that activation stays short. */
const LAZY = {
  // With the first start of the server.
  uiSession: 'mcpClient',
  // With the first webview of a job, and of a models.yaml: what checks its messages.
  readPageMessage: 'jobPanel',
  readFormMessage: 'registryForm',
  // With the first models.yaml.
  languageSession: 'languageClient',
};

const lazyBundles: Plugin = {
  name: 'lazy-bundles',
  setup(builder) {
    for (const [module, bundle] of Object.entries(LAZY)) {
      builder.onResolve({ filter: new RegExp(`/${module}\\.ts$`) }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${bundle}.cjs`, external: true } : undefined,
      );
    }
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
    plugins: [lazyBundles, serverInTwo, noServerAjv],
  };
}
