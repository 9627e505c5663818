import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { memoryFloorBytes } from '../../../../src/bridge/jobs/memoryFloor.ts';

const GB = 1024 ** 3;

describe('memoryFloorBytes', () => {
  const cases: [string, number | 'auto', NodeJS.Platform, number, number | null][] = [
    ['a quarter of a small machine', 'auto', 'linux', 24 * GB, 6 * GB],
    ['16 GB at the most', 'auto', 'linux', 256 * GB, 16 * GB],
    ['nothing where the system does not tell', 'auto', 'darwin', 64 * GB, null],
    ['what was written', 3, 'darwin', 64 * GB, 3 * GB],
    ['nothing for zero', 0, 'linux', 64 * GB, null],
  ];
  for (const [name, setting, platform, totalBytes, expected] of cases) {
    it(name, () => assert.equal(memoryFloorBytes(setting, { totalBytes, platform }), expected));
  }
});
