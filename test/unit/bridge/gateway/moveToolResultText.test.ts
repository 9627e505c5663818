import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { moveToolResultText } from '../../../../src/bridge/gateway/moveToolResultText.ts';

const text = (value: string) => ({ type: 'text', text: value });
const result = (id: string, content?: unknown) =>
  content === undefined
    ? { type: 'tool_result', tool_use_id: id }
    : { type: 'tool_result', tool_use_id: id, content };
const image = { type: 'image', source: {} };
const user = (...content: unknown[]) => ({ role: 'user', content });

describe('moveToolResultText', () => {
  const table: { name: string; before: unknown; after: unknown; moved: number }[] = [
    {
      name: 'into the content of the last result, after what it says',
      before: user(result('A', 'x'), result('B', [text('y')]), text('reminder')),
      after: user(result('A', 'x'), result('B', [text('y'), text('reminder')])),
      moved: 1,
    },
    {
      name: 'a string becomes a block',
      before: user(result('A', 'x'), text('r')),
      after: user(result('A', [text('x'), text('r')])),
      moved: 1,
    },
    {
      name: 'absent, null and empty content',
      before: user(result('A'), result('B', null), result('C', ''), text('r')),
      after: user(result('A'), result('B', null), result('C', [text('r')])),
      moved: 1,
    },
    {
      name: 'text before and between results, in its order',
      before: user(text('1'), result('A', 'a'), text('2'), result('B', 'b'), text('3')),
      after: user(result('A', 'a'), result('B', [text('b'), text('1'), text('2'), text('3')])),
      moved: 3,
    },
    {
      name: 'images and results keep their order',
      before: user(image, result('A', 'a'), text('r'), image),
      after: user(image, result('A', [text('a'), text('r')]), image),
      moved: 1,
    },
    {
      name: 'twice the same block object is twice the text',
      before: user(result('A', 'a'), result('A', 'a'), text('r')),
      after: user(result('A', 'a'), result('A', [text('a'), text('r')])),
      moved: 1,
    },
    ...[
      { name: 'no results', before: user(text('a'), image) },
      { name: 'no text', before: user(result('A', 'a'), image) },
      { name: 'string content', before: { role: 'user', content: 'a' } },
      {
        name: 'an assistant message',
        before: { role: 'assistant', content: [result('A', 'a'), text('r')] },
      },
      { name: 'content of unknown shape', before: user(result('A', { odd: 1 }), text('r')) },
      { name: 'no object', before: null },
    ].map(({ name, before }) => ({ name: `${name}: untouched`, before, after: before, moved: 0 })),
  ];
  for (const { name, before, after, moved } of table) {
    it(name, () => assert.deepEqual(moveToolResultText([before]), { messages: [after], moved }));
  }
});
