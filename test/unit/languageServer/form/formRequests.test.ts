import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formRequests } from '../../../../src/languageServer/form/formRequests.ts';
import { ModelsDocuments } from '../../../../src/languageServer/modelsDocuments.ts';
import type { RequestAnswers } from '../../../../src/languageServer/requestAnswers.ts';
import { type FormState, MASKED } from '../../../../src/protocol/modelsLanguage/formState.ts';
import { NO_LIVE_FACTS } from '../../../../src/protocol/modelsLanguage/noLiveFacts.ts';
import {
  LANGUAGE_REQUESTS,
  type LanguageParams,
  type LanguageRequest,
  type LanguageResult,
} from '../../../../src/protocol/modelsLanguage/requests.ts';

const KEY = 'sk-veryverysecret-0123';

describe('what the form is told of its document', () => {
  let folder: string;
  let userFile: string;
  let nextVersion: number;
  let documents: Map<string, TextDocument>;
  let ask: <Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ) => Promise<LanguageResult<Name>>;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'form-'));
    mkdirSync(path.join(folder, 'repo'));
    userFile = path.join(folder, 'models.yaml');
    documents = new Map();
    nextVersion = 1;
    const models = new ModelsDocuments({
      env: { DELEGATE_CONFIG: userFile, DELEGATE_STATE: path.join(folder, 'state') },
      openDocuments: () => [...documents.values()],
      folders: () => [path.join(folder, 'repo')],
      live: () => NO_LIVE_FACTS,
    });
    const handlers = new Map<string, (params: unknown) => unknown>();
    const answers: RequestAnswers = {
      answer: (name, handler) => handlers.set(name, handler as (params: unknown) => unknown),
    };
    formRequests(answers, models, (uri) => documents.get(uri));
    ask = async (name, params) => {
      const { params: input, result } = LANGUAGE_REQUESTS[name];
      const answer: unknown = await handlers.get(name)?.(input.parse(params));
      // As it goes over the channel.
      return result.parse(JSON.parse(JSON.stringify(answer))) as LanguageResult<typeof name>;
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function open(text: string, file = userFile, version = nextVersion++): string {
    const uri = pathToFileURL(file).href;
    documents.set(uri, TextDocument.create(uri, 'yaml', version, text));
    return uri;
  }

  async function stateOf(uri: string): Promise<FormState> {
    const state = await ask('delegationBridge/formState', { uri });
    assert.ok(state);
    return state;
  }

  it('is what the text says, broken values as they stand', async () => {
    const state = await stateOf(
      open(
        'endpoints:\n  a: { base_url: http://127.0.0.1:1, max_concurrent: many, format: opnai }\npools: 3\n',
        userFile,
        7,
      ),
    );
    assert.equal(state.version, 7);
    assert.equal(state.role, 'user');
    assert.equal(state.isUsed, true);
    assert.equal(state.isEditable, true);
    assert.deepEqual(state.values, {
      endpoints: { a: { base_url: 'http://127.0.0.1:1', max_concurrent: 'many', format: 'opnai' } },
      pools: 3,
    });
    const [format] = state.problems.filter(({ path: at }) => at.includes('format'));
    assert.deepEqual(format?.path, ['endpoints', 'a', 'format']);
    assert.equal(format?.suggestion, 'openai');
    assert.ok((format?.fixes.length ?? 0) > 0);
    assert.equal(format?.line, 2);
  });

  it('inherits from the other layers and the defaults, and not from itself', async () => {
    writeFileSync(
      userFile,
      'defaults: { max_turns: 7 }\nendpoints:\n  mine: { base_url: http://127.0.0.1:9 }\n',
    );
    writeFileSync(path.join(folder, 'models.local.yaml'), 'endpoints: { mine: { host: tower } }\n');
    const uri = open(
      'defaults: { max_turns: 8, timeout_s: 5 }\nendpoints:\n  mine: { base_url: http://127.0.0.1:9, notes: here }\n',
    );
    const { inherited, role } = await stateOf(uri);
    assert.equal(role, 'user');
    assert.deepEqual((inherited['defaults'] as { max_turns: number }).max_turns, 60);
    assert.deepEqual((inherited['defaults'] as { timeout_s: number }).timeout_s, 1800);
    const repo = open(
      'endpoints: {}\ndefaults: { max_turns: 9 }\n',
      path.join(folder, 'repo', 'models.yaml'),
    );
    documents.delete(uri);
    const workspace = await stateOf(repo);
    assert.equal(workspace.role, 'workspace');
    assert.equal(workspace.isUsed, false, 'not trusted');
    assert.equal((workspace.inherited['defaults'] as { max_turns: number }).max_turns, 7);
    assert.deepEqual(
      (workspace.inherited['endpoints'] as Record<string, { host: string; base_url: string }>)[
        'mine'
      ]?.host,
      'tower',
    );
  });

  it('shows a sidecar what the file beside it says', async () => {
    writeFileSync(
      userFile,
      'endpoints:\n  mine: { base_url: http://127.0.0.1:9, api_key: ' + KEY + ' }\n',
    );
    const state = await stateOf(
      open('endpoints: { mine: { host: tower } }\n', path.join(folder, 'models.local.yaml')),
    );
    assert.equal(state.role, 'user-sidecar');
    const mine = (state.inherited['endpoints'] as Record<string, Record<string, unknown>>)['mine'];
    assert.equal(mine?.['base_url'], 'http://127.0.0.1:9');
    assert.equal(mine?.['api_key'], MASKED);
  });

  it('is empty for an empty file, and not editable where the text is no YAML', async () => {
    for (const text of ['', '# nothing yet\n']) {
      const state = await stateOf(open(text));
      assert.deepEqual([state.values, state.isEditable], [{}, true], JSON.stringify(text));
    }
    for (const text of ['a: [', 'a: 1\na: 2\n', '- list\n', 'a: 1\n---\nb: 2\n', 'a: *no\n']) {
      const state = await stateOf(open(text));
      assert.deepEqual([state.values, state.isEditable], [null, false], JSON.stringify(text));
      assert.ok(state.problems.length > 0, JSON.stringify(text));
    }
  });

  it('never holds a key, wherever it stands', async () => {
    const texts = [
      `endpoints:\n  a: { base_url: http://127.0.0.1:1, api_key: ${KEY}, backend: ${KEY} }\n`,
      `endpoints:\n  a: { base_url: http://u:${KEY}@127.0.0.1:1, apikey: ${KEY} }\n`,
      `endpoints:\n  a:\n    headers: { Authorization: Bearer ${KEY} }\n    env: [${KEY}]\n    api_key: [${KEY}]\n`,
      `endpoints:\n  a: { api_key: ${KEY}\n`,
      `endpoints:\n  a:\n    api_key: "${KEY}\n`,
      `router: { token: ${KEY} }\n`,
    ];
    for (const text of texts) {
      const uri = open(text);
      const state = await stateOf(uri);
      assert.equal(JSON.stringify(state).includes(KEY), false, `${text}${JSON.stringify(state)}`);
    }
  });

  it('is nothing for a document that is not open', async () => {
    assert.equal(await ask('delegationBridge/formState', { uri: 'file:///none.yaml' }), null);
  });

  it('has a fix for a problem of the same version and title alone', async () => {
    const uri = open('endpoints:\n  a: { base_url: http://127.0.0.1:1, fromat: auto }\n');
    const { problems } = await stateOf(uri);
    const problem = problems.findIndex(({ code }) => code === 'unknown_key');
    const [title = ''] = problems[problem]?.fixes ?? [];
    const wish = { uri, version: 1, problem, fix: 0, title };
    const done = await ask('delegationBridge/fix', wish);
    assert.ok(done.kind === 'changes');
    const document = documents.get(uri);
    assert.ok(document);
    assert.equal(
      TextDocument.applyEdits(document, done.changes),
      'endpoints:\n  a: { base_url: http://127.0.0.1:1, format: auto }\n',
    );
    for (const other of [{ version: 2 }, { title: 'Another one' }, { problem: 99 }, { fix: 9 }]) {
      const stale = await ask('delegationBridge/fix', { ...wish, ...other });
      assert.deepEqual(stale, { kind: 'stale' }, JSON.stringify(other));
    }
  });

  it('has a key moved by the extension: the fix says which and under what name', async () => {
    const uri = open(`endpoints:\n  a: { base_url: http://127.0.0.1:1, api_key: ${KEY} }\n`);
    const { problems } = await stateOf(uri);
    const problem = problems.findIndex(({ code }) => code === 'literal_secret');
    const [title = ''] = problems[problem]?.fixes ?? [];
    assert.deepEqual(
      await ask('delegationBridge/fix', { uri, version: 1, problem, fix: 0, title }),
      { kind: 'moveSecret', path: ['endpoints', 'a', 'api_key'], name: 'a' },
    );
  });
});
