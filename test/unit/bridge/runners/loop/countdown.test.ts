import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countdown } from '../../../../../src/bridge/runners/loop/countdown.ts';

const said = (turn: number, maxTurns: number, isChangedWorktree = false, hasShell = true): string =>
  countdown({ turn, maxTurns, isChangedWorktree, hasShell }) ?? '';

describe('countdown', () => {
  const table: { turn: number; maxTurns: number; says: RegExp | null }[] = [
    { turn: 1, maxTurns: 25, says: null },
    { turn: 21, maxTurns: 25, says: null },
    { turn: 22, maxTurns: 25, says: /^\[3 TURNS LEFT\]/ },
    { turn: 23, maxTurns: 25, says: /^\[2 TURNS LEFT\]/ },
    { turn: 24, maxTurns: 25, says: /^\[LAST TURN\]/ },
    { turn: 25, maxTurns: 25, says: null },
    { turn: 1, maxTurns: 4, says: null },
    { turn: 2, maxTurns: 4, says: null },
    { turn: 3, maxTurns: 4, says: /^\[LAST TURN\]/ },
    { turn: 6, maxTurns: 8, says: /^\[2 TURNS LEFT\]/ },
    { turn: 1, maxTurns: 2, says: /^\[LAST TURN\]/ },
    { turn: 1, maxTurns: 1, says: null },
  ];
  for (const { turn, maxTurns, says } of table) {
    it(`after turn ${turn} of ${maxTurns}: ${says?.source ?? 'nothing'}`, () => {
      if (says === null) assert.equal(said(turn, maxTurns), '');
      else assert.match(said(turn, maxTurns), says);
    });
  }

  const commits: { name: string; isChangedWorktree: boolean; hasShell: boolean; asks: boolean }[] =
    [
      {
        name: 'a worktree that the job changed',
        isChangedWorktree: true,
        hasShell: true,
        asks: true,
      },
      {
        name: 'the checkout, or an unchanged tree',
        isChangedWorktree: false,
        hasShell: true,
        asks: false,
      },
      { name: 'a job without a shell', isChangedWorktree: true, hasShell: false, asks: false },
    ];
  for (const { name, isChangedWorktree, hasShell, asks } of commits) {
    it(`${name}: ${asks ? 'asks' : 'does not ask'} for a commit`, () =>
      assert.equal(/git commit/.test(said(22, 25, isChangedWorktree, hasShell)), asks));
  }
});
