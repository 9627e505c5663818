import { before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { registerHooks } from 'node:module';
import type * as Contributions from '../../src/contributions.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly keybindings: readonly { readonly command: string }[];
    readonly customEditors: readonly { readonly viewType: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
  };
  readonly icon: string;
  readonly main: string;
}

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8')) as Manifest;

describe('package.json and contributions.ts', () => {
  let contributions: typeof Contributions;

  before(async () => {
    // The names are plain data; only the helpers beside them need the vscode module, and none is called here.
    const hooks = registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'vscode'
          ? { url: 'data:text/javascript,', shortCircuit: true }
          : next(specifier, context),
    });
    contributions = await import('../../src/contributions.ts');
    hooks.deregister();
  });

  it('name the same commands', () => {
    assert.deepEqual(
      manifest.contributes.commands.map(({ command }) => command).sort(),
      Object.values(contributions.COMMANDS).sort(),
    );
  });

  it('hold back in Restricted Mode the same commands', () => {
    const { COMMANDS, COMMANDS_WITHOUT_TRUST } = contributions;
    assert.deepEqual(
      manifest.contributes.commands
        .filter(({ enablement = '' }) => !/(^|&& )isWorkspaceTrusted\b/.test(enablement))
        .map(({ command }) => command)
        .sort(),
      COMMANDS_WITHOUT_TRUST.map((name) => COMMANDS[name]).sort(),
    );
  });

  it('name the same settings with the same defaults and ranges', () => {
    const declared = Object.entries(manifest.contributes.configuration.properties).map(
      ([name, { type, default: value, minimum, maximum }]) => [
        name,
        type === 'number' ? { default: value, minimum, maximum } : { default: value },
      ],
    );
    const known = { ...contributions.NUMBER_SETTINGS, ...contributions.BOOLEAN_SETTINGS };
    assert.deepEqual(
      Object.fromEntries(declared),
      Object.fromEntries(
        Object.entries(known).map(([name, range]) => [
          `${contributions.SETTINGS_PREFIX}.${name}`,
          range,
        ]),
      ),
    );
  });

  it('use in when clauses only context keys that are set', () => {
    const used = whenClauses(manifest.contributes).flatMap(
      (clause) => clause.match(/delegationBridge\.\w+/g) ?? [],
    );
    const known: string[] = [
      ...Object.values(contributions.CONTEXT_KEYS),
      ...Object.values(contributions.VIEWS),
      ...Object.values(contributions.EDITORS),
    ];
    assert.deepEqual(
      used.filter((key) => !known.includes(key)),
      [],
    );
  });

  it('have a handler for every command, registered once, and a reader for every setting', () => {
    const code = ['src/extension.ts', ...fs.globSync('src/host/**/*.ts')]
      .map((file) => fs.readFileSync(file, 'utf8'))
      .join('\n');
    for (const name of Object.keys(contributions.COMMANDS)) {
      assert.equal(
        code.split(new RegExp(`register(?:Command)?\\(\\s*'${name}'`)).length - 1,
        1,
        name,
      );
    }
    for (const name of Object.keys(contributions.NUMBER_SETTINGS)) {
      assert.ok(code.includes(`readNumberSetting('${name}')`), name);
    }
    for (const name of Object.keys(contributions.BOOLEAN_SETTINGS)) {
      assert.ok(code.includes(`readBooleanSetting('${name}'`), name);
    }
    for (const name of Object.keys(contributions.CONTEXT_KEYS)) {
      assert.match(code, new RegExp(`setContext\\(\\s*'${name}'`), name);
    }
  });

  it('name the same views', () => {
    assert.deepEqual(
      Object.values(manifest.contributes.views)
        .flat()
        .map(({ id }) => id)
        .sort(),
      Object.values(contributions.VIEWS).sort(),
    );
  });

  it('name the same editors', () => {
    assert.deepEqual(
      manifest.contributes.customEditors.map(({ viewType }) => viewType),
      Object.values(contributions.EDITORS),
    );
  });

  it('bind menus and keys to declared commands only', () => {
    const { menus, keybindings } = manifest.contributes;
    const used = [...Object.values(menus).flat(), ...keybindings].map(({ command }) => command);
    const known: string[] = Object.values(contributions.COMMANDS);
    assert.deepEqual(
      used.filter((command) => !known.includes(command)),
      [],
    );
  });

  it('name files that exist', () => {
    assert.ok(fs.existsSync(manifest.icon), manifest.icon);
  });
});

/** Every value of a `when` or `enablement` key at any depth. */
function whenClauses(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' && (key === 'when' || key === 'enablement')
      ? [value]
      : whenClauses(value),
  );
}
