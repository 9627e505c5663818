import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CompletionList,
  DocumentSymbol,
  Hover,
  Location,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { type BridgeWorld, bridgeWorld, DIST } from '../../support/bridgeWorld.ts';
import { LanguageTestClient } from '../../support/languageClient.ts';
import { upFacts } from '../../unit/languageServer/support/modelsWorld.ts';

const URL_A = 'http://127.0.0.1:9';
const TEXT = `endpoints:
  tower:
    base_url: ${URL_A}
    max_concurrent: 5
pools:
  qwen: {}
  glm: {}
failover:
  chains:
    qwen-1: [glm-1, glm-1]
fleet:
  planner: { endpoint: tower, model: qwen-1 }
`;

describe('the built language server over stdio', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let file: string;
  before(async () => {
    world = await bridgeWorld();
    // The user's own: what a repository says counts only once it is trusted.
    file = world.modelsFile;
  });
  after(() => world.dispose());

  const clients: LanguageTestClient[] = [];
  afterEach(() => {
    // One of a failed test is still there.
    for (const { child } of clients.splice(0)) child.kill('SIGKILL');
  });

  const start = async (): Promise<LanguageTestClient> => {
    const client = await LanguageTestClient.start({
      env: world.env,
      cwd: world.repo.root,
      folders: [world.repo.root],
    });
    clients.push(client);
    return client;
  };
  const facts = (): LiveFacts =>
    upFacts(
      { tower: { url: URL_A, slots: 2, models: { 'qwen-1': 200_000, 'glm-9': 200_000 } } },
      { asked_at: new Date().toISOString() },
    );
  const at = (text: string, word: string): { line: number; character: number } => {
    const before = text.slice(0, text.indexOf(word) + word.length).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };

  it('does all that it says it can, and ends when it is asked to', async () => {
    const client = await start();
    client.live = facts;
    const uri = await client.open(file, TEXT);
    const told = await client.diagnostics(uri, (found) => found.length === 3);
    assert.deepEqual(told.map(({ code }) => code).sort(), [
      ...['chain_repeat', 'not_active', 'too_many_slots'],
    ]);
    const textDocument = { uri };
    const ask = <Result>(method: string, params: object): Promise<Result> =>
      client.connection.sendRequest(`textDocument/${method}`, { textDocument, ...params });

    const hover = await ask<Hover>('hover', { position: at(TEXT, '  tow') });
    assert.match(JSON.stringify(hover.contents), /up · 2 models · 2 slots/);

    const draft = TEXT.replace('[glm-1, glm-1]', '[glm-1, ]');
    await client.change(uri, 2, draft);
    const completions = await ask<CompletionList>('completion', {
      position: at(draft, '[glm-1, '),
    });
    assert.equal(completions.isIncomplete, false);
    assert.ok(completions.items.some(({ label }) => label === 'glm-9'));
    assert.ok(!completions.items.some(({ label }) => label === 'glm-1'));
    await client.diagnostics(uri, (found) => found.length === 2);

    const position = at(TEXT, '  tow');
    const [definition] = await ask<Location[]>('definition', {
      position: at(TEXT, 'endpoint: tow'),
    });
    assert.equal(definition?.range.start.line, 1);
    const references = await ask<Location[]>('references', {
      position,
      context: { includeDeclaration: true },
    });
    assert.equal(references.length, 2);
    assert.equal((await ask<unknown[]>('documentHighlight', { position })).length, 2);
    assert.deepEqual(await ask('prepareRename', { position }), {
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } },
      placeholder: 'tower',
    });
    const renamed = await ask<WorkspaceEdit>('rename', { position, newName: 'box' });
    assert.equal(JSON.stringify(renamed).match(/"newText":"box"/g)?.length, 2);
    await assert.rejects(ask('rename', { position, newName: 'a b' }), /cannot be a name/);

    const symbols = await ask<DocumentSymbol[]>('documentSymbol', {});
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['endpoints', 'pools', 'failover', 'fleet'],
    );
    const lenses = await ask<unknown[]>('codeLens', {});
    assert.match(
      JSON.stringify(lenses),
      /Probe · up · 2 models[^]*probeEndpoint","arguments":\["tower"\]/,
    );
    const actions = await ask<CodeAction[]>('codeAction', {
      range: { start: { line: 3, character: 0 }, end: { line: 3, character: 30 } },
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Change to 2', 'Let the server decide ("auto")'],
    );

    assert.deepEqual(
      await client.ask('delegationBridge/pathAt', { uri, position: at(TEXT, 'max_con') }),
      [...['endpoints', 'tower', 'max_concurrent']],
    );
    assert.deepEqual(
      await client.ask('delegationBridge/rangeOf', {
        uri,
        path: ['endpoints', 'tower', 'nothing'],
      }),
      { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } },
    );
    const edits = [
      { kind: 'set' as const, path: ['endpoints', 'tower', 'max_concurrent'], value: 2 },
    ];
    assert.deepEqual(await client.ask('delegationBridge/edit', { uri, version: 1, edits }), {
      kind: 'stale',
    });
    const edit = await client.ask('delegationBridge/edit', { uri, version: 2, edits });
    assert.deepEqual(edit.kind === 'changes' && edit.changes.map(({ newText }) => newText), ['2']);
    assert.ok(client.formChanges.includes(uri));
    assert.equal(await client.stop(), 0);
  });

  it('a message that it cannot understand is an error of that message, and it lives on', async () => {
    const client = await start();
    const uri = await client.open(file, TEXT);
    for (const params of [
      {},
      { uri, version: 'one', edits: 5 },
      { uri, version: 1, edits: [{ kind: 'drop' }] },
    ]) {
      await assert.rejects(
        client.connection.sendRequest('delegationBridge/edit', params),
        /delegationBridge\/edit: /,
      );
    }
    await assert.rejects(client.connection.sendRequest('textDocument/hover', { nothing: true }));
    client.live = () => ({ nothing: true }) as never;
    await client.liveChanged();
    client.live = facts;
    await client.liveChanged();
    await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'too_many_slots'));
    assert.equal(await client.stop(), 0);
  });

  it('an extension that never answers keeps nothing up', async () => {
    const client = await start();
    client.live = () => new Promise(() => undefined);
    const uri = await client.open(file, TEXT);
    assert.deepEqual(
      (await client.diagnostics(uri, () => true)).map(({ code }) => code),
      ['chain_repeat', 'not_active'],
    );
    const draft = TEXT.replace('model: qwen-1', 'model: ');
    await client.change(uri, 2, draft);
    const list: CompletionList = await client.connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position: at(draft, 'model: '),
    });
    assert.equal(list.isIncomplete, true);
    assert.ok(list.items.some(({ label }) => label === 'qwen-1'));
    assert.equal(await client.stop(), 0);
  });

  it('another program’s models.yaml gets nothing; one of a folder that is added gets what it is due', async () => {
    const client = await start();
    const foreign = await client.open(join(world.repo.scratch, 'models.yaml'), 'models:\n  - a\n');
    assert.deepEqual(await client.diagnostics(foreign, () => true), []);
    const textDocument = { uri: foreign };
    const completion = await client.connection.sendRequest('textDocument/completion', {
      textDocument,
      position: { line: 0, character: 0 },
    });
    assert.equal(completion, null);
    assert.equal(
      await client.connection.sendRequest('textDocument/codeLens', { textDocument }),
      null,
    );
    await client.change(foreign, 2, '');
    const position = { line: 0, character: 0 };
    const uri = pathToFileURL(world.repo.scratch).href;
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [{ uri, name: 'more' }], removed: [] },
    });
    await client.diagnostics(foreign, (_found, version) => version === 2);
    const list: CompletionList | null = await client.connection.sendRequest(
      'textDocument/completion',
      { textDocument, position },
    );
    assert.ok(list?.items.some(({ label }) => label === 'endpoints'));
    assert.equal(await client.stop(), 0);
  });

  it('5 000 lines: what is asked while somebody types is answered', async () => {
    const client = await start();
    const lines = Array.from(
      { length: 1666 },
      (_, index) => `  e${index}:\n    base_url: http://127.0.0.1:${index + 1}\n    backend: vllm`,
    );
    const text = `endpoints:\n${lines.join('\n')}\n  last:\n    ba\n`;
    const uri = await client.open(file, text);
    await client.diagnostics(uri, (found) => found.length > 0);
    const position = at(text, '  last:\n    ba');
    const answers = [];
    for (let version = 2; version < 22; version++) {
      await client.change(uri, version, text.replace('    ba\n', `    ba\n#${version}\n`));
      answers.push(
        client.connection.sendRequest<CompletionList>('textDocument/completion', {
          textDocument: { uri },
          position,
        }),
      );
    }
    const last = (await Promise.all(answers)).at(-1);
    assert.ok(last?.items.some(({ label }) => label === 'backend'));
    assert.equal(await client.stop(), 0);
  });

  it('ends with the process that started it', async () => {
    // A parent that gives its own stdin and stdout to the server, greets it, and is killed.
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const child = spawn(process.execPath, [${JSON.stringify(join(DIST, 'languageServer.cjs'))}, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
         const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { folders: [] } } });
         child.stdin.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body);
         child.stdout.once('data', () => console.log(child.pid));`,
      ],
      { env: world.env, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(line);
    process.kill(pid, 0);
    parent.kill('SIGKILL');
    const limit = Date.now() + 20_000;
    while (isAlive(pid)) {
      assert.ok(Date.now() < limit, 'it is still there');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
    return false;
  }
}
