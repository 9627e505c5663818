import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { PrefixMeter } from '../../../../src/bridge/gateway/prefixMeter.ts';

const user = (content: string) => ({ role: 'user', content });

describe('PrefixMeter', () => {
  it('finds the whole previous prompt in a grown one, and less when an earlier message changed', () => {
    const meter = new PrefixMeter();
    const messages = [user('first'), { role: 'assistant', content: 'a' }, user('second')];
    assert.equal(meter.measure({ model: 'm', messages }), null);
    const grown = meter.measure({ model: 'm', messages: [...messages, user('third')] });
    assert.ok(grown && grown.prevBytes > 0);
    assert.equal(grown.commonPrefixBytes, grown.prevBytes);
    const edited = meter.measure({ model: 'm', messages: [messages[0], user('x')] });
    assert.ok(edited && edited.commonPrefixBytes < edited.prevBytes);
  });

  it('counts system and tools in front of the messages', () => {
    const meter = new PrefixMeter();
    meter.measure({ system: 'aaaa', messages: [user('x')] });
    assert.equal(meter.measure({ system: 'aabb', messages: [user('x')] })?.commonPrefixBytes, 3);
  });

  it('tells conversations apart by model and first user message', () => {
    const meter = new PrefixMeter();
    meter.measure({ model: 'm', messages: [user('main')] });
    assert.equal(meter.measure({ model: 'm', messages: [user('side')] }), null);
    assert.equal(meter.measure({ model: 'n', messages: [user('main')] }), null);
    assert.notEqual(meter.measure({ model: 'm', messages: [user('main')] }), null);
  });

  it('forgets the conversation unused for longest', () => {
    const meter = new PrefixMeter();
    for (let at = 0; at < 16; at += 1) meter.measure({ messages: [user(String(at))] });
    assert.notEqual(meter.measure({ messages: [user('0')] }), null);
    meter.measure({ messages: [user('16')] });
    assert.notEqual(meter.measure({ messages: [user('0')] }), null);
    assert.equal(meter.measure({ messages: [user('1')] }), null);
  });

  it('is right for any two texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ maxLength: 9000 }), (a, b, shared) => {
        const meter = new PrefixMeter();
        const prompt = (text: string) => ({ system: shared + text, messages: [user('x')] });
        const bytes = (text: string) =>
          Buffer.from(`${JSON.stringify(shared + text)}null[{"role":"user","content":"x"}`);
        meter.measure(prompt(a));
        const [left, right] = [bytes(a), bytes(b)];
        const end = left.findIndex((byte, at) => byte !== right[at]);
        assert.deepEqual(meter.measure(prompt(b)), {
          commonPrefixBytes: end === -1 ? left.length : end,
          prevBytes: left.length,
        });
      }),
    );
  });

  it('has nothing to say about a body without messages', () => {
    assert.equal(new PrefixMeter().measure({ messages: 'x' }), null);
    assert.equal(new PrefixMeter().measure({ messages: [null] }), null);
  });
});
