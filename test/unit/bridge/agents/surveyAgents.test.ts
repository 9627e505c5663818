import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readAgent } from '../../../../src/bridge/agents/readAgent.ts';
import { surveyAgents } from '../../../../src/bridge/agents/surveyAgents.ts';
import { modelsFileSchema } from '../../../../src/config/schema.ts';

describe('surveyAgents', () => {
  let scratch = '';
  let folder = '';
  let agentsDir = '';
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-agents-')));
    folder = join(scratch, 'project');
    agentsDir = join(scratch, 'agents');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const write = (file: string, content = '---\ndescription: D\n---\nBody'): string => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const project = (name: string): string => join(folder, '.claude/agents', `${name}.md`);
  const skill = (name: string): string => join(folder, '.claude/skills', name, 'SKILL.md');
  const global = (name: string): string => join(agentsDir, `${name}.md`);
  const survey = () =>
    surveyAgents({ folder, agentsDir }, modelsFileSchema.parse({ defaults: { model: 'm' } }), null);

  it('finds nothing where there is nothing, and says where it looked', () =>
    assert.deepEqual(survey(), {
      agents: [],
      folders: [
        {
          source: 'project-agent',
          path: join(folder, '.claude/agents'),
          state: 'missing',
          skipped: [],
        },
        {
          source: 'project-skill',
          path: join(folder, '.claude/skills'),
          state: 'missing',
          skipped: [],
        },
        { source: 'global', path: agentsDir, state: 'missing', skipped: [] },
      ],
    }));

  it('shows each tier, and which file of a name wins: the one that a job reads', () => {
    write(global('coder'));
    write(skill('coder'));
    write(project('coder'));
    write(global('only'));
    write(skill('release'));
    assert.deepEqual(
      survey().agents.map(({ source, name, shadowedBy }) => [source, name, shadowedBy]),
      [
        ['project-agent', 'coder', null],
        ['project-skill', 'coder', project('coder')],
        ['project-skill', 'release', null],
        ['global', 'coder', project('coder')],
        ['global', 'only', null],
      ],
    );
    for (const { name, path } of survey().agents.filter((agent) => agent.shadowedBy === null))
      assert.equal(readAgent(name, { folder, agentsDir }).path, path);
  });

  it('shows a file once where the first tier and the last are one folder, as in the home folder', () => {
    write(project('coder'));
    const alias = join(scratch, 'alias');
    symlinkSync(folder, alias);
    for (const own of [join(folder, '.claude/agents'), join(alias, '.claude/agents')]) {
      const { agents } = surveyAgents({ folder, agentsDir: own }, modelsFileSchema.parse({}), null);
      assert.deepEqual(
        agents.map(({ source, shadowedBy }) => [source, shadowedBy]),
        [['project-agent', null]],
      );
    }
  });

  it('passes over what is no definition, and names files that no call can name', () => {
    write(join(folder, '.claude/skills/empty/notes.txt'));
    write(join(folder, '.claude/skills/.hidden/SKILL.md'));
    write(join(folder, '.claude/agents/notes.txt'));
    write(join(folder, '.claude/agents/team/inner.md'));
    write(project('two words'));
    const { agents, folders } = survey();
    assert.deepEqual(agents, []);
    assert.deepEqual(
      folders.flatMap(({ skipped }) => skipped.map(({ path }) => path)),
      [join(folder, '.claude/agents/team'), project('two words')],
    );
  });

  it('says what a job would get', () => {
    write(
      project('reviewer'),
      '---\nname: reviewer\ndescription: Reviews\nmodel: sonnet\ntools: Read, Raed\n---\nBody',
    );
    const [agent] = survey().agents;
    assert.deepEqual(
      { ...agent, findings: agent?.findings.map(({ code }) => code) },
      {
        name: 'reviewer',
        source: 'project-agent',
        path: project('reviewer'),
        description: 'Reviews',
        isUsable: true,
        shadowedBy: null,
        declaredModel: 'sonnet',
        runner: 'loop',
        model: 'm',
        modelRule: 'default-model',
        tools: ['list_dir', 'glob', 'grep', 'read_file', 'finish'],
        findings: ['model_family', 'unknown_tool'],
      },
    );
  });

  it('agrees with the reader on what can be used', () => {
    write(project('good'));
    write(project('yaml'), '---\ntools: [\n---\nBody');
    write(project('bytes'), 'x');
    writeFileSync(project('bytes'), Buffer.from([0xff, 0xfe, 0x41]));
    symlinkSync(write(join(scratch, 'elsewhere.md')), project('link'));
    mkdirSync(project('folder'));
    for (const { name, isUsable, findings } of survey().agents) {
      const read = (): unknown => readAgent(name, { folder, agentsDir });
      if (isUsable) read();
      else assert.throws(read, { kind: 'config_invalid' });
      assert.equal(isUsable, !findings.some(({ severity }) => severity === 'error'));
      assert.equal(isUsable, name === 'good', name);
    }
    assert.equal(survey().agents.length, 5);
  });

  it('makes a description fit for a terminal', () => {
    write(project('coder'), `---\ndescription: "a\\e[31m\\nb ${'x'.repeat(500)}"\n---\nBody`);
    const [agent] = survey().agents;
    assert.match(agent?.description ?? '', /^a b x+…$/);
    assert.equal(agent?.description.length, 300);
  });
});
