import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { PromptGauge } from '../../../../../src/bridge/runners/loop/promptGauge.ts';

const usage = (input: number | null, cacheRead: number | null = null) => ({
  input,
  output: null,
  cacheRead,
  cacheWrite: null,
});

describe('PromptGauge', () => {
  it('goes by what the server said last, cached tokens included', () => {
    const gauge = new PromptGauge();
    gauge.note(1000, usage(100, 200));
    assert.equal(gauge.tokens(2000), 600);
  });

  it('knows a usual value before anybody said something, or where nobody does', () => {
    const gauge = new PromptGauge();
    const usual = gauge.tokens(10_000);
    assert.ok(usual > 2000 && usual < 4000);
    gauge.note(1000, usage(null));
    gauge.note(1000, usage(0));
    gauge.note(0, usage(5));
    assert.equal(gauge.tokens(10_000), usual);
  });

  it('believes no nonsense: the estimate stays within bounds whatever is reported', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e9), fc.nat(1e6), (before, tokens, characters) => {
        const gauge = new PromptGauge();
        gauge.note(before, usage(tokens));
        const estimate = gauge.tokens(characters);
        assert.ok(estimate >= Math.floor(characters / 10) && estimate <= characters * 1.5 + 1);
      }),
    );
  });
});
