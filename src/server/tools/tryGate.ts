import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { tryGate as contract } from '../../protocol/ui/tryGate.ts';
import { resolve } from 'node:path';
import { defineTool } from '../tool.ts';

export const tryGate = defineTool({
  name: 'try_gate',
  title: 'Try gate',
  description:
    'Runs a gate of the saved configuration on what is committed, in a tree of its own. The checkout is not touched.',
  effect: 'write',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd, gate }, { bridge, defaultCwd, signal, reportText }) => {
    const tried = await bridge.tryGate(gate, {
      cwd: resolve(defaultCwd, cwd),
      signal,
      onLine: reportText,
    });
    return {
      provenance: noModelProvenance(`the gate ${gate} ${tried.status}`),
      fields: toWire(tried) as Record<string, unknown>,
    };
  },
});
