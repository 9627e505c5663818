import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Versions {
  readonly VERSIONS: Readonly<
    Record<string, { readonly codeServer: string; readonly node: string }>
  >;
  readonly NEWEST: string;
  readonly OLDEST: string;
}

const FILE = join(import.meta.dirname, '../../../tools/vscode-host/versions.mjs');
const { VERSIONS, NEWEST, OLDEST } = (await import(FILE)) as Versions;

describe('the versions of VS Code for the host tests', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly engines: { readonly vscode: string };
    readonly devDependencies: Readonly<Record<string, string>>;
  };

  it('reach down to the oldest that the extension says it runs in, and is written against', () => {
    assert.equal(manifest.engines.vscode, `^${OLDEST}.0`);
    assert.equal(manifest.devDependencies['@types/vscode'], `${OLDEST}.0`);
  });

  it('hold the newest and the oldest, each by its release of code-server', () => {
    assert.deepEqual(Object.keys(VERSIONS).sort(), [OLDEST, NEWEST].sort());
    for (const [version, { codeServer, node }] of Object.entries(VERSIONS)) {
      assert.ok(codeServer.startsWith(`4.${version.split('.')[1]}.`), codeServer);
      assert.match(node, /^\d+\.\d+\.\d+$/);
    }
  });
});
