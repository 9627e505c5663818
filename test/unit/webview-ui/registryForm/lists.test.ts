import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { formatPath } from '../../../../src/config/configPath.ts';
import { editModelsText } from '../../../../src/config/edit/editModelsText.ts';
import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';
import { entryYaml } from '../../../../webview-ui/registryForm/facts/entryYaml.ts';
import {
  addItem,
  moveItem,
  removeItem,
} from '../../../../webview-ui/registryForm/facts/itemEdits.ts';
import { listKeys, placeNow } from '../../../../webview-ui/registryForm/facts/listKeys.ts';
import { pathId, pathOfId } from '../../../../webview-ui/registryForm/facts/pathId.ts';
import { gapAt, movedItem, placeInGap } from '../../../../webview-ui/registryForm/facts/reorder.ts';
import { sameValue } from '../../../../webview-ui/registryForm/facts/sameValue.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 8 });

describe('moving a row', () => {
  it('puts what is dropped into the gap under the pointer', () => {
    const middles = [10, 30, 50];
    for (const [y, gap] of [
      [-5, 0],
      [9, 0],
      [11, 1],
      [31, 2],
      [99, 3],
    ] as const)
      assert.equal(gapAt(y, middles), gap);
  });

  it('ends in the gap that was shown, with all others in their order', () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(word, { minLength: 1 })
          .chain((items) =>
            fc.tuple(fc.constant(items), fc.nat(items.length - 1), fc.nat(items.length)),
          ),
        ([items, from, gap]) => {
          const to = placeInGap(from, gap);
          const moved = movedItem(items, from, to);
          const item = items[from];
          assert.deepEqual(
            moved.filter((each) => each !== item),
            items.filter((each) => each !== item),
          );
          const before = items.slice(0, gap).filter((each) => each !== item);
          assert.equal(moved.indexOf(item ?? ''), before.length);
        },
      ),
    );
  });
});

describe('the items of a list', () => {
  it('have keys of their own, the same text twice too', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '0:a')), (items) => {
        const keys = listKeys(items);
        assert.equal(new Set(keys).size, items.length);
        assert.deepEqual(
          keys.map((key) => key.slice(key.indexOf(':') + 1)),
          items,
        );
      }),
    );
  });

  it('are found where they are by now', () => {
    assert.equal(placeNow(['a', 'b'], 'b', 1), 1);
    assert.equal(placeNow(['x', 'a', 'b'], 'b', 1), 2);
    assert.equal(placeNow(['a'], 'b', 1), null);
  });

  /** The list after the edits, by the editor of the file itself. */
  function after(own: readonly string[] | null, edits: ConfigEdit[] | null): unknown {
    const path = ['failover', 'pinned'];
    const text = `# kept\nfailover:\n  when: [error]\n${own === null ? '' : `  pinned: ${JSON.stringify(own)}\n`}`;
    const result = editModelsText(text, edits ?? []);
    assert.ok(result.isOk, JSON.stringify(result));
    return (parse(result.text) as { failover: Record<string, unknown> }).failover[path[1] ?? ''];
  }
  const now = (own: readonly string[] | null, shown: readonly string[]) => ({
    ...{ path: ['failover', 'pinned'], own, shown },
  });

  it('are added, removed and moved as the list is in the file', () => {
    fc.assert(
      fc.property(words, word, fc.nat(7), fc.integer({ min: -8, max: 8 }), (items, item, n, by) => {
        const place = n % items.length;
        const chosen = items[place] ?? '';
        const list = now(items, items);
        assert.deepEqual(after(items, addItem(list, item)), [...items, item]);
        assert.deepEqual(
          after(items, removeItem(list, chosen, place)),
          items.filter((_, each) => each !== place),
        );
        const to = Math.max(0, Math.min(items.length - 1, place + by));
        assert.deepEqual(
          after(items, moveItem(list, chosen, place, by)),
          movedItem(items, place, to),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('that count from elsewhere are written out first, and the last one leaves an empty list', () => {
    const list = now(null, ['local-', 'gpt-']);
    assert.deepEqual(after(null, addItem(list, 'x')), ['local-', 'gpt-', 'x']);
    assert.deepEqual(after(null, removeItem(list, 'gpt-', 1)), ['local-']);
    assert.deepEqual(after(null, moveItem(list, 'gpt-', 1, -1)), ['gpt-', 'local-']);
    assert.deepEqual(after(['a'], removeItem(now(['a'], ['a']), 'a', 0)), []);
    assert.equal(removeItem(now(['a'], ['a']), 'gone', 0), null);
  });
});

describe('the id of a key', () => {
  it('has no white space, and leads back to the key', () => {
    const segment = fc.oneof(fc.string({ unit: 'binary' }), fc.nat(99));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (path) => {
        const id = pathId(path);
        assert.doesNotMatch(id, /\s/);
        assert.deepEqual(formatPath(pathOfId(id) ?? ['lost']), formatPath(path));
      }),
    );
    assert.equal(pathOfId('key:%'), null);
    assert.equal(pathOfId('other'), null);
  });
});

describe('the entry that is shown before it is written', () => {
  it('is YAML that says what will be written', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('yes', 'null', '1', '~', 'a: b', '- x', '#', 'http://[::1]:80/v', '${env:A}'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(key, fc.dictionary(key, value), (name, entry) => {
        const text = entryYaml('endpoints', name, entry);
        const read = parse(text) as { endpoints: Record<string, unknown> };
        assert.ok(sameValue(sorted(read.endpoints[name]), sorted(entry)), text);
      }),
    );
  });

  it('looks as people write it', () =>
    assert.equal(
      entryYaml('endpoints', 'tower', {
        base_url: 'http://127.0.0.1:8080',
        api_key: '${secret:tower}',
        tls: { insecure: true },
      }),
      'endpoints:\n  tower:\n    base_url: http://127.0.0.1:8080\n    api_key: "${secret:tower}"\n    tls:\n      insecure: true\n',
    ));
});

/** -0 is written as 0, and digits as keys have an order of their own. */
function sorted(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      Object.entries((value ?? {}) as Record<string, unknown>).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    ),
  );
}
