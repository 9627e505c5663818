import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import {
  assertBatchSize,
  batchTasksSchema,
  readBatchTasks,
} from '../../../src/server/batchTasks.ts';
import { ToolSchemas } from '../../../src/server/toolSchemas.ts';

const task = z.strictObject({ task: z.string().min(1), max_turns: z.number().int().optional() });

describe('batchTasks', () => {
  it('any list is taken, and each task is judged by itself', () => {
    const tasks = fc.array(
      fc.oneof(fc.record({ task: fc.string({ minLength: 1 }) }), fc.anything()),
    );
    fc.assert(
      fc.property(tasks, (list) => {
        assert.ok(batchTasksSchema(task).safeParse(list).success);
        const read = readBatchTasks(list, task);
        assert.deepEqual(
          read.map(({ ok }) => ok),
          list.map((one) => task.safeParse(one).success),
        );
      }),
    );
  });

  const wrong: [unknown, RegExp][] = [
    [{ task: '' }, /tasks\[0\].*task:/],
    [{ task: 'x', max_turns: 'many' }, /max_turns:/],
    [{ task: 'x', max_turns: 1.5 }, /max_turns:/],
    [{ task: 'x', modle: 1 }, /modle/],
    ['text', /object/],
    [null, /object/],
  ];
  for (const [one, expected] of wrong) {
    it(`names the field of ${JSON.stringify(one)}`, () => {
      const [read] = readBatchTasks([one], task);
      assert.ok(read?.ok === false);
      assert.match(read.error.message, expected);
    });
  }

  it('tells the client what a task may hold', () => {
    const schemas = new ToolSchemas();
    const { properties } = schemas.of(z.strictObject({ tasks: batchTasksSchema(task) }));
    assert.deepEqual(properties, {
      tasks: {
        type: 'array',
        description: 'The tasks; results come in this order',
        items: schemas.of(task),
      },
    });
    assert.deepEqual(schemas.of(task)['required'], ['task']);
  });

  for (const [size, isGood] of [
    [0, false],
    [1, true],
    [12, true],
    [13, false],
  ] as const) {
    it(`a batch of ${size}, at most 12: ${isGood ? 'taken' : 'refused'}`, () => {
      const check = (): void => assertBatchSize(size, 12);
      if (isGood) check();
      else assert.throws(check, (error) => BridgeError.is(error, 'bad_argument'));
    });
  }
});
