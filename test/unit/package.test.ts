import { build, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { buildOptions } from '../../tools/buildOptions.ts';
import { webviewBuildOptions } from '../../tools/webviewBuildOptions.ts';

const KB = 1024;

/** The most each bundle may weigh. A library that slips into a bundle, or the locales of zod, go over it. */
const BUDGETS_BYTES: Readonly<Record<string, number>> = {
  extension: 480 * KB,
  mcpClient: 700 * KB,
  jobPanel: 400 * KB,
  languageClient: 1300 * KB,
  registryForm: 420 * KB,
  server: 20 * KB,
  serverMain: 2800 * KB, // imports and the edits of models.yaml
  jobHost: 2300 * KB,
  cli: 2900 * KB,
  languageServer: 1100 * KB,
  uninstall: 350 * KB,
};

/** Which folders of src a folder may import from, besides itself. Lint checks the same, but not dynamic imports. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: ['base'],
  rehearsal: ['base', 'protocol'],
  config: ['base', 'protocol'],
  bridge: ['base', 'protocol', 'config'],
  server: ['base', 'protocol', 'config', 'bridge', 'rehearsal'],
  jobHost: ['base', 'protocol', 'config', 'bridge', 'rehearsal'],
  cli: ['base', 'protocol', 'config', 'bridge', 'rehearsal', 'server'],
  languageServer: ['base', 'protocol', 'config'],
  host: ['base', 'protocol', 'config', 'contributions.ts'],
  'contributions.ts': [],
  'extension.ts': ['base', 'protocol', 'config', 'host', 'contributions.ts'],
};

describe('the bundles', () => {
  let metafile: Metafile;
  let bundles: [name: string, output: Metafile['outputs'][string]][];

  before(async function () {
    this.timeout(60_000);
    ({ metafile } = await build({ ...buildOptions(), metafile: true, write: false }));
    bundles = Object.entries(metafile.outputs).map(([file, output]) => [
      file.replace(/^dist\/|\.cjs$/g, ''),
      output,
    ]);
  });

  it('are the ones with a budget, and stay below it', () => {
    assert.deepEqual(bundles.map(([name]) => name).sort(), Object.keys(BUDGETS_BYTES).sort());
    for (const [name, { bytes }] of bundles) {
      const budget = BUDGETS_BYTES[name] ?? 0;
      assert.ok(bytes <= budget, `${name} has ${bytes} bytes, its budget is ${budget}`);
    }
  });

  it('need vscode in the extension and its language client, and nowhere else', () => {
    const needing = bundles.filter(([, output]) =>
      output.imports.some(({ path }) => path === 'vscode'),
    );
    assert.deepEqual(
      needing.map(([name]) => name),
      ['extension', 'languageClient'],
    );
  });

  it('need nothing at run time but Node, vscode and each other', () => {
    const allowed = /^(node:|\.\/\w+\.cjs$|vscode$)/;
    const builtins = new Set(process.getBuiltinModule('module').builtinModules);
    for (const [name, output] of bundles) {
      const missing = output.imports
        .map(({ path }) => path)
        .filter((path) => !allowed.test(path) && !builtins.has(path));
      assert.deepEqual(missing, [], name);
    }
  });

  it('keep libraries out of what VS Code loads at activation', () => {
    const [, extension] = bundles.find(([name]) => name === 'extension') ?? [];
    const inputs = Object.keys(extension?.inputs ?? {});
    assert.deepEqual(
      inputs.filter((file) => file.includes('node_modules/')),
      [],
    );
    assert.ok(extension?.imports.some(({ path }) => path === './mcpClient.cjs'));
  });

  it('have what they load beside them in the npm package too', () => {
    const published = fs.readFileSync('.npmignore', 'utf8');
    for (const [name, output] of bundles) {
      if (!published.includes(`!/dist/${name}.cjs\n`)) continue;
      for (const { path } of output.imports.filter((entry) => entry.path.startsWith('./')))
        assert.ok(published.includes(`!/dist/${path.slice(2)}\n`), `${name} loads ${path}`);
    }
  });

  it('follow the import layers, dynamic imports included', () => {
    const wrong: string[] = [];
    for (const [file, { imports }] of Object.entries(metafile.inputs)) {
      const from = folderOf(file);
      if (from === null) continue;
      for (const { path } of imports) {
        const to = folderOf(path);
        const isAllowed = to === null || to === from || MAY_IMPORT[from]?.includes(to);
        if (!isAllowed) wrong.push(`${file} imports ${path}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});

describe('the pages that VS Code shows', () => {
  let outputs: Metafile['outputs'];
  let texts: Record<string, string>;

  before(async function () {
    this.timeout(60_000);
    const built = await build({ ...webviewBuildOptions(), write: false });
    outputs = built.metafile?.outputs ?? {};
    texts = Object.fromEntries(
      (built.outputFiles ?? []).map(({ path, text }) => [path.replace(/.*\//, ''), text]),
    );
  });

  it('are the files with a budget, and stay below it', () => {
    const budgets: Readonly<Record<string, number>> = {
      'jobPanel.js': 300 * KB,
      'jobPanel.css': 20 * KB,
      'registryForm.js': 300 * KB,
      'registryForm.css': 20 * KB,
      'codicon.css': 40 * KB,
      'codicon.ttf': 140 * KB,
    };
    const sizes = Object.entries(outputs).map(
      ([file, { bytes }]) => [file.replace('dist/webview/', ''), bytes] as const,
    );
    assert.deepEqual(sizes.map(([name]) => name).sort(), Object.keys(budgets).sort());
    for (const [name, bytes] of sizes)
      assert.ok(bytes <= (budgets[name] ?? 0), `${name} has ${bytes} bytes`);
  });

  it('are made of what a page may use, and of nothing of a process', () => {
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    const foreign = inputs.filter(
      (file) =>
        !/^webview-ui\/|^src\/(protocol|config)\/|^src\/base\/sanitise\.ts$/.test(file) &&
        !/^node_modules\/(lit|lit-html|lit-element|@lit|@lit-labs|@vscode-elements|@vscode\/codicons|zod)\//.test(
          file,
        ),
    );
    assert.deepEqual(foreign, []);
  });

  it('name the makers of what they hand on', () => {
    assert.match(texts['codicon.css'] ?? '', /Creative Commons\s+Attribution 4\.0/);
    assert.match(texts['jobPanel.js'] ?? '', /BSD-3-Clause/);
  });

  it('write nothing foreign as HTML', () => {
    const sources = fs.globSync('webview-ui/**/*.ts');
    assert.ok(sources.length > 20);
    const html = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|DOMParser/;
    assert.deepEqual(
      sources.filter((file) => html.test(fs.readFileSync(file, 'utf8'))),
      [],
    );
  });
});

describe('what is published', () => {
  for (const [list, file] of [
    ['**', '.vscodeignore'],
    ['*', '.npmignore'],
  ] as const) {
    it(`is named file by file in ${file}: nothing else gets in`, () => {
      const [first, ...rest] = fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      assert.equal(first, list);
      assert.deepEqual(
        rest.filter((line) => !line.startsWith('!')),
        [],
      );
    });
  }

  it('installs nothing else and runs nothing at installation', () => {
    const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const keys = Object.keys({ ...manifest, ...manifest.scripts });
    const unwanted = ['dependencies', 'optionalDependencies', 'install', 'postinstall', 'prepare'];
    assert.deepEqual(
      unwanted.filter((key) => keys.includes(key)),
      [],
    );
  });
});

/** The part of src that a file belongs to, null for a file elsewhere. */
function folderOf(file: string): string | null {
  return /^src\/([^/]+)/.exec(file)?.[1] ?? null;
}
