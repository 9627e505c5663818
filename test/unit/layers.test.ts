import { ESLint, Linter } from 'eslint';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';

/** Imports that the architecture forbids, planted in a file of each layer. */
const FORBIDDEN: readonly [file: string, imported: string][] = [
  ['src/base/planted.ts', '../protocol/job.ts'],
  ['src/base/planted.ts', '../bridge/jobs/store.ts'],
  ['src/base/planted.ts', 'vscode'],
  ['src/protocol/planted.ts', '../config/schema.ts'],
  ['src/protocol/planted.ts', '../server/main.ts'],
  ['src/config/planted.ts', '../bridge/routing/route.ts'],
  ['src/config/planted.ts', 'vscode'],
  ['src/bridge/planted.ts', '../server/main.ts'],
  ['src/bridge/jobs/planted.ts', '../../cli/main.ts'],
  ['src/bridge/jobs/planted.ts', '../../host/bridge/launcher.ts'],
  ['src/bridge/jobs/planted.ts', 'vscode'],
  ['src/rehearsal/planted.ts', '../bridge/jobs/store.ts'],
  ['src/server/planted.ts', '../jobHost/main.ts'],
  ['src/server/tools/planted.ts', '../../host/bridge/launcher.ts'],
  ['src/server/tools/planted.ts', 'vscode'],
  ['src/server/tools/planted.ts', '@modelcontextprotocol/sdk/types.js'],
  ['src/jobHost/planted.ts', '../server/main.ts'],
  ['src/jobHost/planted.ts', 'vscode'],
  ['src/cli/planted.ts', '../jobHost/main.ts'],
  ['src/cli/planted.ts', 'vscode'],
  ['src/languageServer/planted.ts', '../bridge/jobs/store.ts'],
  ['src/host/bridge/planted.ts', '../../bridge/jobs/store.ts'],
  ['src/host/commands/planted.ts', '../../server/main.ts'],
  ['src/host/bridge/planted.ts', '@modelcontextprotocol/sdk/client/index.js'],
  ['webview-ui/jobPanel/planted.ts', '../../src/host/jobPanel/jobPanel.ts'],
  ['webview-ui/jobPanel/planted.ts', '../../src/bridge/bridge.ts'],
  ['webview-ui/jobPanel/parts/planted.ts', '../../../src/base/ids.ts'],
  ['webview-ui/jobPanel/planted.ts', 'node:fs'],
  ['webview-ui/jobPanel/planted.ts', 'vscode'],
];

const ALLOWED: readonly [file: string, imported: string][] = [
  ['src/config/planted.ts', '../base/bridgeError.ts'],
  ['src/bridge/jobs/planted.ts', '../../config/schema.ts'],
  ['src/bridge/jobs/planted.ts', '../worktrees/create.ts'],
  ['src/server/tools/planted.ts', '../../bridge/jobs/store.ts'],
  ['src/server/mcpSdk.ts', '@modelcontextprotocol/sdk/types.js'],
  ['src/host/bridge/mcpClientSdk.ts', '@modelcontextprotocol/sdk/client/index.js'],
  ['src/host/commands/planted.ts', '../bridge/serverState.ts'],
  ['src/host/commands/planted.ts', 'vscode'],
  ['webview-ui/jobPanel/planted.ts', '../../src/protocol/job.ts'],
  ['webview-ui/jobPanel/parts/planted.ts', '../../../src/config/schema.ts'],
  ['webview-ui/jobPanel/planted.ts', '../dom/el.ts'],
];

describe('import layers in the lint configuration', function () {
  this.timeout(60_000); // the first one loads the whole configuration

  const eslint = new ESLint();

  /** How many problems the project's own rules have with the code in that file. */
  async function problems(file: string, code: string): Promise<number> {
    const { rules } = (await eslint.calculateConfigForFile(file)) as Linter.Config;
    const names = ['no-restricted-imports', 'no-restricted-syntax'];
    const own = names.map((name) => [name, rules?.[name] ?? 'off'] as const);
    const config = { files: ['**/*.ts'], rules: Object.fromEntries(own) };
    return new Linter().verify(code, config, file).length;
  }

  for (const [file, imported] of FORBIDDEN) {
    it(`report ${imported} in ${file}`, async () =>
      assert.equal(await problems(file, `import '${imported}';`), 1));
  }
  for (const [file, imported] of ALLOWED) {
    it(`allow ${imported} in ${file}`, async () =>
      assert.equal(await problems(file, `import '${imported}';`), 0));
  }

  it('report the named export of zod and allow its namespace', async () => {
    assert.equal(await problems('src/config/planted.ts', "import { z } from 'zod';"), 1);
    assert.equal(await problems('src/config/planted.ts', "import * as z from 'zod';"), 0);
  });
});
