import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { readAgent } from '../../../../src/bridge/agents/readAgent.ts';
import { skipBecause } from '../../../support/skipBecause.ts';

describe('readAgent', () => {
  let scratch = '';
  let folder = '';
  let agentsDir = '';
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-agents-')));
    folder = join(scratch, 'project');
    agentsDir = join(scratch, 'home', 'agents');
    mkdirSync(folder);
    mkdirSync(agentsDir, { recursive: true });
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const write = (file: string, content: string | Buffer): string => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const project = (name: string): string => join(folder, '.claude', 'agents', `${name}.md`);
  const skill = (name: string): string => join(folder, '.claude', 'skills', name, 'SKILL.md');
  const global = (name: string): string => join(agentsDir, `${name}.md`);
  const read = (name: string) => readAgent(name, { folder, agentsDir });
  const failure = (name: string): BridgeError => {
    try {
      read(name);
    } catch (error) {
      assert.ok(error instanceof BridgeError, String(error));
      return error;
    }
    throw new Error('it was read');
  };

  it('takes the first place that has the name', () => {
    const text = '---\ndescription: D\ntools: Read\n---\nBody';
    write(global('coder'), text);
    assert.deepEqual(read('coder'), {
      name: 'coder',
      source: 'global',
      path: global('coder'),
      description: 'D',
      body: 'Body',
      model: null,
      tools: ['Read'],
      disallowedTools: [],
    });
    write(skill('coder'), text);
    assert.equal(read('coder').source, 'project-skill');
    write(project('coder'), text);
    assert.equal(read('coder').source, 'project-agent');
  });

  it('goes by the name of the file, not by that in the front matter', () => {
    write(project('one'), '---\nname: two\n---\nBody');
    assert.equal(read('one').name, 'one');
    assert.equal(failure('two').kind, 'unknown_agent');
  });

  for (const name of [
    '../secret',
    'a/b',
    'a\\b',
    '..',
    '.',
    '',
    'a.b',
    'ä',
    'a b',
    'a\0',
    'x'.repeat(200),
  ]) {
    it(`takes ${JSON.stringify(name.slice(0, 20))} for no name`, () => {
      write(join(folder, '.claude', 'secret.md'), 'x');
      assert.equal(failure(name).kind, 'unknown_agent');
    });
  }

  it('never reads outside the three places, whatever the name', () => {
    write(join(scratch, 'secret.md'), 'secret');
    write(join(folder, 'secret.md'), 'secret');
    const pieces = fc.array(fc.constantFrom('..', '/', 'secret', '.md', '\\', '\0', '%2e'));
    fc.assert(
      fc.property(pieces, (parts) => assert.equal(failure(parts.join('')).kind, 'unknown_agent')),
    );
  });

  it('says where it looked, and the name that was probably meant', () => {
    write(project('reviewer'), 'x');
    write(skill('release'), 'x');
    const { kind, message, hint, details } = failure('reveiwer');
    assert.equal(kind, 'unknown_agent');
    for (const path of [project('reveiwer'), skill('reveiwer'), global('reveiwer')])
      assert.ok(message.includes(path), message);
    assert.match(hint, /^Did you mean reviewer\?/);
    assert.deepEqual(details['known'], ['release', 'reviewer']);
  });

  it('says so when there is no agent at all', () =>
    assert.match(failure('coder').hint, /no agent in any of these places/));

  const unusable: [name: string, content: string | Buffer, words: RegExp][] = [
    ['text that is not UTF-8', Buffer.from([0x41, 0xff, 0xfe]), /not UTF-8/],
    ['UTF-16', Buffer.from('\ufeffBody', 'utf16le'), /not UTF-8/],
    ['too much', 'x'.repeat(256 * 1024 + 1), /limit is 262144/],
    ['front matter that cannot be read', '---\ntools: [Read\n---\nB', /coder\.md:\d+: /],
    ['tools that cannot be read', '---\ntools: {}\n---\nB', /coder\.md:2: "tools" must be a list/],
  ];
  for (const [name, content, words] of unusable) {
    it(`does not use ${name}, nor another file of that name instead`, () => {
      write(project('coder'), content);
      write(global('coder'), 'Body');
      const { kind, message } = failure('coder');
      assert.equal(kind, 'config_invalid');
      assert.match(message, words);
    });
  }

  it('reads a file of exactly the limit', () => {
    write(project('coder'), 'x'.repeat(256 * 1024));
    assert.equal(read('coder').body.length, 256 * 1024);
  });

  const links: [name: string, target: () => string, isRead: boolean][] = [
    ['a file of the project', () => write(join(folder, 'docs', 'a.md'), 'Body'), true],
    ["one of the user's own agents", () => write(global('other'), 'Body'), true],
    ['a file elsewhere', () => write(join(scratch, 'id_rsa'), 'Body'), false],
    ['a file beside the project', () => write(`${folder}-more/a.md`, 'Body'), false],
  ];
  for (const [name, target, isRead] of links) {
    it(`${isRead ? 'follows' : 'refuses'} a link to ${name}`, () => {
      mkdirSync(dirname(project('coder')), { recursive: true });
      symlinkSync(target(), project('coder'));
      if (isRead) assert.equal(read('coder').body, 'Body');
      else {
        const { kind, message } = failure('coder');
        assert.equal(kind, 'config_invalid');
        assert.match(message, /outside the folder of the job/);
        assert.ok(!message.includes('Body'));
      }
    });
  }

  it('refuses a linked folder of agents, too', () => {
    mkdirSync(join(folder, '.claude'));
    write(join(scratch, 'else', 'coder.md'), 'Body');
    symlinkSync(join(scratch, 'else'), join(folder, '.claude', 'agents'));
    assert.equal(failure('coder').kind, 'config_invalid');
  });

  it('follows links of the user, wherever they lead', () => {
    symlinkSync(write(join(scratch, 'dotfiles', 'coder.md'), 'Body'), global('coder'));
    assert.equal(read('coder').body, 'Body');
  });

  it('takes a link that leads nowhere for no file', () => {
    mkdirSync(dirname(project('coder')), { recursive: true });
    symlinkSync(join(scratch, 'nothing'), project('coder'));
    write(global('coder'), 'Body');
    assert.equal(read('coder').source, 'global');
  });

  it('does not wait for a pipe, nor read a folder', function () {
    if (process.platform === 'win32') skipBecause(this, 'Windows has no named pipes in folders');
    mkdirSync(project('folder'), { recursive: true });
    execFileSync('mkfifo', [project('pipe')]);
    for (const name of ['folder', 'pipe']) {
      assert.equal(failure(name).kind, 'config_invalid');
      assert.match(failure(name).message, /is not a file/);
    }
  });

  it('says that a file may not be read', function () {
    if (process.getuid?.() === 0) skipBecause(this, 'root may read everything');
    chmodSync(write(project('coder'), 'Body'), 0);
    assert.match(failure('coder').message, /cannot be read \(EACCES\)/);
  });
});
