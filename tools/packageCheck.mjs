// Makes both packages and looks at them as their users get them.
//   node tools/packageCheck.mjs
// VSIX: its list of files. npm package: its list of files, and a global install into an empty prefix that runs in a clean environment.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vsixFiles } from './vsixFiles.mjs';

const MB = 1024 * 1024;
const MAX_PACKAGE_BYTES = 3 * MB;

/** Every file of the packages; what else is under media/ comes and goes. A new file is added here on purpose. */
const COMMON = [
  ...['server', 'serverMain', 'jobHost', 'cli'].map((name) => `dist/${name}.cjs`),
  ...['bin/delegate.cjs', 'bin/delegate-wait.cjs', 'models.example.yaml', 'media/icon.png'],
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'],
];
const VSIX = [
  ...COMMON,
  ...['models-yaml.injection', 'transcript'].map((name) => `syntaxes/${name}.tmLanguage.json`),
  ...['extension', 'mcpClient', 'jobPanel', 'registryForm'].map((name) => `dist/${name}.cjs`),
  ...['languageClient', 'languageServer', 'uninstall'].map((name) => `dist/${name}.cjs`),
  ...[
    'jobPanel.js',
    'jobPanel.css',
    'registryForm.js',
    'registryForm.css',
    'codicon.css',
    'codicon.ttf',
  ].map((name) => `dist/webview/${name}`),
];

const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'package-check-'));
try {
  checkVsix();
  checkNpmPackage();
  console.log('Both packages are as they should be.');
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

function checkVsix() {
  compare('VSIX', VSIX, vsixFiles());
  const vsix = path.join(scratch, 'it.vsix');
  execFileSync('vsce', ['package', '--no-dependencies', '--out', vsix], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  checkSize(vsix);
}

function checkNpmPackage() {
  const answer = execFileSync(
    'npm',
    ['pack', '--json', '--silent', '--pack-destination', scratch],
    { encoding: 'utf8' },
  );
  const [{ filename, files }] = JSON.parse(answer.slice(answer.indexOf('[')));
  compare(
    'npm package',
    COMMON,
    files.map((file) => file.path),
  );
  const tarball = path.join(scratch, filename);
  checkSize(tarball);

  const prefix = path.join(scratch, 'prefix');
  const home = path.join(scratch, 'home');
  fs.mkdirSync(home);
  // Offline: the package has no dependencies, so nothing may be fetched.
  execFileSync('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--offline',
    '--no-audit',
    '--no-fund',
    '--silent',
    tarball,
  ]);
  const delegate = path.join(prefix, 'bin', 'delegate');
  const env = { HOME: home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
  const answered = execFileSync(delegate, ['--version'], { env, encoding: 'utf8' });
  assert.ok(
    answered.includes(version),
    `delegate --version says ${JSON.stringify(answered)}, not ${version}`,
  );
  const help = spawnSync(path.join(prefix, 'bin', 'delegate-wait'), ['--help'], {
    env,
    encoding: 'utf8',
  });
  assert.equal(help.status, 0, `delegate-wait --help: ${help.stderr}`);
  console.log(`npm package: installed globally, delegate --version says ${answered.trim()}`);
  checkOldNode(delegate, home);
}

/** Where the system's Node is too old, the command must say so in one sentence. */
function checkOldNode(delegate, home) {
  const env = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const node = spawnSync('node', ['--version'], { env, encoding: 'utf8' });
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(node.stdout ?? '') ?? [];
  if (major === undefined || Number(major) > 22 || (Number(major) === 22 && Number(minor) >= 13)) {
    console.log('npm package: the sentence for an old Node was not checked, this system has none');
    return;
  }
  const { status, stderr } = spawnSync(delegate, ['--version'], { env, encoding: 'utf8' });
  assert.notEqual(status, 0, `delegate on Node ${major} must not go on`);
  assert.match(
    stderr,
    /22\.13/,
    `delegate on Node ${major} must name the version it needs: ${stderr}`,
  );
  assert.doesNotMatch(stderr, /^\s+at /m, `delegate on Node ${major} prints a stack`);
  console.log(`npm package: on Node ${major} it says: ${stderr.trim()}`);
}

function compare(what, expected, files) {
  const isOpen = (file) => file.startsWith('media/') && file !== 'media/icon.png';
  const unexpected = files.filter((file) => !expected.includes(file) && !isOpen(file));
  const missing = expected.filter((file) => !files.includes(file));
  assert.deepEqual({ unexpected, missing }, { unexpected: [], missing: [] }, `${what}: its files`);
  console.log(`${what}: ${files.length} files, all expected`);
}

function checkSize(file) {
  const { size } = fs.statSync(file);
  assert.ok(
    size <= MAX_PACKAGE_BYTES,
    `${path.basename(file)} has ${size} bytes, more than ${MAX_PACKAGE_BYTES}`,
  );
  console.log(`${path.extname(file)}: ${(size / MB).toFixed(2)} MB`);
}
