// Lint rules; the import layers of the architecture are checked here (see README, "Architecture").
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Folders of src that a folder may not import from. Order: base, protocol, config, bridge, then the processes. */
const LAYERS = {
  base: [
    'protocol',
    'config',
    'bridge',
    'rehearsal',
    'server',
    'jobHost',
    'cli',
    'languageServer',
    'host',
  ],
  protocol: ['config', 'bridge', 'rehearsal', 'server', 'jobHost', 'cli', 'languageServer', 'host'],
  config: ['bridge', 'rehearsal', 'server', 'jobHost', 'cli', 'languageServer', 'host'],
  rehearsal: ['config', 'bridge', 'server', 'jobHost', 'cli', 'languageServer', 'host'],
  bridge: ['rehearsal', 'server', 'jobHost', 'cli', 'languageServer', 'host'],
  server: ['jobHost', 'cli', 'languageServer', 'host'],
  jobHost: ['server', 'cli', 'languageServer', 'host'],
  cli: ['jobHost', 'languageServer', 'host'],
  languageServer: ['bridge', 'rehearsal', 'server', 'jobHost', 'cli', 'host'],
  host: ['bridge', 'rehearsal', 'server', 'jobHost', 'cli', 'languageServer'],
};

const noVscode = {
  name: 'vscode',
  message: 'Only src/host, src/extension.ts and src/contributions.ts may import vscode.',
};
const mcpSdk = {
  group: ['@modelcontextprotocol/*'],
  message:
    'The SDK is imported through one file per side: src/server/mcpSdk.ts and src/host/bridge/mcpClientSdk.ts.',
};

/** From src/host/<part>/ one step up is still src/host, which has a bridge/ of its own. */
const upTo = (folder) => (folder === 'host' ? '(\\.\\./){2,}' : '(\\.\\./)+');

/** Browser code: what crosses to it, and how that is worded. */
const webviewRule = {
  files: ['webview-ui/**/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [noVscode],
        patterns: [
          mcpSdk,
          { regex: '^node:', message: 'A webview has no Node.' },
          {
            regex: '(\\.\\./)+src/(?!(protocol|config)/)',
            message: 'webview-ui may import only protocol and config of src.',
          },
        ],
      },
    ],
  },
};

const layerRules = Object.entries(LAYERS).map(([folder, forbidden]) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: folder === 'host' ? [] : [noVscode],
        patterns: [
          mcpSdk,
          ...forbidden.map((other) => ({
            regex: `^${upTo(folder)}${other}/`,
            message: `${folder} may not import ${other}.`,
          })),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'test/fixtures/**',
      'coverage/**',
      'tools/scripted-model/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier",
          message: "The named export pulls in every locale: import * as z from 'zod'.",
        },
      ],
      eqeqeq: 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'max-lines': 'off',
    },
  },
  ...layerRules,
  webviewRule,
  {
    files: ['src/server/mcpSdk.ts', 'src/host/bridge/mcpClientSdk.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'URL',
          'URLSearchParams',
          'Buffer',
          'require',
          'module',
          '__dirname',
          'fetch',
          'performance',
          'AbortController',
          'AbortSignal',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
