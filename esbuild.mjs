// Builds the bundles of dist/: one per process. Every library is bundled, so neither the VSIX nor the npm package has dependencies.
import { build, context } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

// The MCP client is a bundle of its own that the extension loads at its first start of the server, so that activation stays short.
const lazyMcpClient = {
  name: 'lazy-mcp-client',
  setup({ onResolve }) {
    onResolve({ filter: /\/mcpClientSdk\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './mcpClient.cjs', external: true } : undefined,
    );
  },
};

const entries = {
  extension: 'src/extension.ts',
  mcpClient: 'src/host/bridge/mcpClientSdk.ts',
  server: 'src/server/main.ts',
  jobHost: 'src/jobHost/main.ts',
  cli: 'src/cli/main.ts',
  delegateWait: 'src/cli/delegateWait.ts',
  languageServer: 'src/languageServer/main.ts',
};

const options = {
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
  define: { 'process.env.DELEGATE_VERSION': JSON.stringify(version) },
  // import() becomes require(): the extension host of VS Code loads its modules with require.
  supported: { 'dynamic-import': false },
  entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
  external: ['vscode'],
  plugins: [lazyMcpClient],
};

if (process.argv.includes('--watch')) {
  const watcher = await context({ ...options, logLevel: 'info' });
  await watcher.watch();
} else {
  const result = await build(options);
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/meta.json', JSON.stringify(result.metafile));
}
