import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { withWorld } from './jobWorld.ts';

const line = fc.constantFrom('a', 'b', 'c', 'd', '', '  x', 'ü');
const lines = fc.array(line, { minLength: 3, maxLength: 12 });
const edit = fc.record({
  at: fc.nat(11),
  remove: fc.nat(2),
  insert: fc.array(line, { maxLength: 2 }),
});
const edits = fc.array(edit, { maxLength: 2 });
const perm = fc.constantFrom(0o644, 0o755, 0o600);

function apply(
  base: readonly string[],
  changes: readonly { at: number; remove: number; insert: string[] }[],
): string[] {
  const result = [...base];
  for (const { at, remove, insert } of changes)
    result.splice(Math.min(at, result.length), remove, ...insert);
  return result;
}

function textOf(content: readonly string[], hasLastEnd: boolean): string {
  return content.join('\n') + (hasLastEnd && content.length > 0 ? '\n' : '');
}

describe('acceptChanges, for any base, user and job', function () {
  this.timeout(240_000);

  it('gives what git merge-file gives, or refuses; undo puts every byte and mode back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            base: lines,
            user: edits,
            job: edits,
            isCrlf: fc.boolean(),
            hasLastEnd: fc.boolean(),
            perm,
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        async (files) => {
          const end = (text: string, isCrlf: boolean) =>
            isCrlf ? text.replaceAll('\n', '\r\n') : text;
          const texts = files.map((file, index) => ({
            path: `f${index}.txt`,
            perm: file.perm,
            base: end(textOf(file.base, file.hasLastEnd), file.isCrlf),
            user: end(textOf(apply(file.base, file.user), file.hasLastEnd), file.isCrlf),
            job: end(textOf(apply(file.base, file.job), file.hasLastEnd), file.isCrlf),
          }));
          await withWorld(
            { files: Object.fromEntries(texts.map(({ path, base }) => [path, base])) },
            async (world) => {
              await world.user(
                Object.fromEntries(
                  texts.map(({ path, user, perm }) => [path, { content: user, perm }]),
                ),
              );
              await world.job(Object.fromEntries(texts.map(({ path, job }) => [path, job])));
              const before = await world.state();
              const untouchables = await world.untouchables();
              const result = await world.accept();
              const wanted = await Promise.all(
                texts.map(async (text) => ({ ...text, merged: await mergeFile(world.dir, text) })),
              );
              const overlapping = wanted
                .filter(({ merged }) => merged === null)
                .map(({ path }) => path);
              assert.deepEqual(result.conflicts.map(({ path }) => path).sort(), overlapping);
              if (overlapping.length > 0) assert.equal(result.status, 'refused');
              else
                for (const { path, merged } of wanted)
                  assert.equal(
                    await world.read(path),
                    Buffer.from(merged ?? '').toString('latin1'),
                  );
              assert.deepEqual(await world.untouchables(), untouchables);
              if (result.status === 'applied') assert.equal((await world.undo()).status, 'undone');
              assert.deepEqual(await world.state(), before);
            },
          );
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

/** Null = conflict. Sides that are equal to the base, or to each other, never conflict. */
async function mergeFile(
  dir: string,
  sides: { path: string; base: string; user: string; job: string },
): Promise<string | null> {
  if (sides.user === sides.job || sides.job === sides.base) return sides.user;
  if (sides.user === sides.base) return sides.job;
  const names = ['user', 'base', 'job'].map((name) => join(dir, `${name}-${sides.path}`));
  const contents = [sides.user, sides.base, sides.job];
  for (const [index, name] of names.entries()) await writeFile(name, contents[index] ?? '');
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', '--diff3', ...names], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout : null;
}
