import type { HostWindow } from './support/hostWindow.ts';

/** A models.yaml as a person has it: an endpoint that answers, one that does not, chains, a comment, and one mistake. */
export const window: HostWindow = {
  isForOldest: true,
  timeoutMs: 8 * 60_000,
  settings: { 'editor.hover.delay': 100, 'files.autoSave': 'off' },
  world: {
    name: 'range-tools',
    files: { 'README.md': '# Range tools\n', 'other/models.yaml': 'tables:\n  - name: orders\n' },
    models: `# Where models are served, the first one first.
endpoints:
  tower:
    base_url: URL
    max_concurrent: 2
  attic:
    base_url: http://127.0.0.1:9
pools:
  glm-: { slots: 2 }
  default: { slots: 4 }
failover:
  chains:
    glm-plan: [qwen-max]
    deepseek: [glm-plan, qwen-max]
gates:
  tests: { run: node --test, kind: tests }
`,
  },
};
