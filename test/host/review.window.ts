import type { HostWindow } from './support/hostWindow.ts';
import { REVIEW_FILES } from './support/reviewSample.ts';

export const window: HostWindow = {
  isForOldest: true,
  world: {
    name: 'range-tools',
    files: REVIEW_FILES,
    models: `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 8 }
gates:
  tests: { run: 'true', kind: tests }
`,
  },
  settings: {
    'files.autoSave': 'off',
    'diffEditor.renderSideBySide': true,
    // The oldest VS Code opens every linked worktree of a repository by itself, whoever made it.
    'git.detectWorktrees': false,
  },
  timeoutMs: 12 * 60_000,
};
