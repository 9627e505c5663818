import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';

function emitter() {
  const errors: unknown[] = [];
  return { errors, emitter: new Emitter<number>((error) => errors.push(error)) };
}

describe('Emitter', () => {
  it('calls its listeners in the order in which they came, each as often as it listens', () => {
    const { emitter: numbers } = emitter();
    const heard: string[] = [];
    const twice = (value: number): void => void heard.push(`twice ${value}`);
    numbers.event((value) => heard.push(`first ${value}`));
    numbers.event(twice);
    const second = numbers.event(twice);
    numbers.fire(1);
    second.dispose();
    second.dispose();
    numbers.fire(2);
    assert.deepEqual(heard, ['first 1', 'twice 1', 'twice 1', 'first 2', 'twice 2']);
  });

  it('calls the others when one throws, and tells the error', () => {
    const { emitter: numbers, errors } = emitter();
    const heard: number[] = [];
    const wrong = new Error('wrong');
    numbers.event(() => {
      throw wrong;
    });
    numbers.event((value) => heard.push(value));
    numbers.fire(3);
    assert.deepEqual([heard, errors], [[3], [wrong]]);
  });

  it('does not call a listener that was removed, or came, while it fires', () => {
    const { emitter: numbers } = emitter();
    const heard: string[] = [];
    numbers.event(() => {
      late.dispose();
      numbers.event(() => heard.push('new'));
    });
    const late = numbers.event(() => heard.push('late'));
    numbers.fire(1);
    assert.deepEqual(heard, []);
  });

  it('is silent once disposed', () => {
    const { emitter: numbers } = emitter();
    const heard: number[] = [];
    numbers.event((value) => heard.push(value));
    numbers.dispose();
    numbers.fire(1);
    assert.deepEqual(heard, []);
  });
});
