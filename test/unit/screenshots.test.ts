import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';

const FOLDER = 'docs/screenshots';
const MAX_BYTES = 256 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

const pictures = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
/** Every name that a suite gives to `shot`, as it stands in the text: a name is never put together. */
const taken = globSync('test/host/*.test.ts')
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bshot\(\s*'([^']+)'/g)])
  .map(([, name]) => `${name}.png`);

describe('the pictures of the README', () => {
  it('are taken by the host tests, each once ("npm run screenshots")', () => {
    assert.deepEqual(pictures, taken.sort());
  });

  it('are there, each with a text for those who cannot see it', () => {
    const images = [...readFileSync('README.md', 'utf8').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(images.length > 0, 'the README shows pictures');
    for (const [, text = '', target = ''] of images) {
      assert.ok(text.length > 20, `what ${target} shows`);
      // Relative: vsce makes them https with the address of the repository.
      assert.ok(existsSync(target), `${target} exists`);
    }
  });

  for (const picture of pictures) {
    it(`${picture} is a PNG of no more than 256 kB`, () => {
      const file = `${FOLDER}/${picture}`;
      assert.deepEqual(readFileSync(file).subarray(0, 4), PNG);
      assert.ok(statSync(file).size <= MAX_BYTES, `${statSync(file).size} bytes`);
    });
  }
});
