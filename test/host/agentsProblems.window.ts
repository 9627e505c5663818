import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  isForOldest: true,
  timeoutMs: 5 * 60_000,
  settings: { 'files.autoSave': 'off' },
  world: {
    name: 'range-tools',
    files: {
      'README.md': '# Range tools\n',
      '.claude/agents/coder.md':
        '---\nname: coder\ndescription: Writes code\nmodel: opus\ntools: Read, Gerp\n---\nWrite code.\n',
      '.claude/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies\n---\nTidy up.\n',
    },
    models: `endpoints:
  tower: { base_url: URL }
defaults: { model: rehearsal }
`,
  },
};
