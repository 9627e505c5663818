import { SAMPLE, SAMPLE_FIX } from './support/hostSample.ts';
import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  isForOldest: true,
  world: {
    ...SAMPLE,
    files: {
      ...SAMPLE.files,
      // A one-line box takes no script; what is selected here does.
      'TASK.md': ['Play this.', '', '```rehearsal', ...SAMPLE_FIX, '```', ''].join('\n'),
      'SLOW.md': ['Play this.', '', '```rehearsal', 'say: started', 'hang 120s', '```', ''].join(
        '\n',
      ),
      'src/todo.js': 'exports.step = 1; // TODO: play the script\n',
      '.gitignore': 'private/\n',
    },
  },
  settings: { 'delegationBridge.todoCodeLens.enabled': true, 'files.autoSave': 'off' },
  timeoutMs: 12 * 60_000,
};
