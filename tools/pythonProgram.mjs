// Programs for the tests that come from Python's package index, kept in the user's cache.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PIP_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 60_000;

/** The folder in the cache for one version of one package. */
export function pythonCache(name, env) {
  const caches = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(caches, 'delegation-bridge-tests', name);
}

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Absent, or not for us.
    return false;
  }
}

/**
 * Fills `folder` with what pip brings and a program of that name that runs `launcher` (Python). The folder is moved into place only once
 * its program has been seen to run with --version.
 * @returns {Promise<string | null>} why it could not be had, one sentence for a person; null: it is there
 */
export async function installPythonProgram({
  folder,
  env,
  program: name,
  launcher,
  requirement,
  pipFlags = [],
}) {
  const none = `no ${name} on this machine, and`;
  const python = await run(
    'python3',
    ['-c', 'import sys; print(sys.executable)'],
    env,
    START_TIMEOUT_MS,
  );
  if (!python.ok) return `${none} no python3 to get one with`;

  let scratch;
  try {
    mkdirSync(join(folder, '..'), { recursive: true });
    scratch = mkdtempSync(`${folder}-`);
  } catch (error) {
    return `${none} the cache cannot be written: ${error.message}`;
  }
  try {
    const requirements = join(scratch, 'requirements.txt');
    writeFileSync(requirements, `${requirement}\n`);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...pipFlags];
    pip.push('--only-binary', ':all:', '--target', join(scratch, 'packages'));
    pip.push('--retries', '1', '--timeout', '20', '-r', requirements);
    const installed = await run('python3', pip, env, PIP_TIMEOUT_MS);
    if (!installed.ok) return `${none} pip could not get one: ${installed.why}`;

    const program = join(scratch, name);
    writeFileSync(program, `#!${python.stdout.trim()}\n${launcher}`, { mode: 0o755 });
    const tried = await run(program, ['--version'], env, START_TIMEOUT_MS);
    if (!tried.ok) return `the ${name} that pip brought does not run here: ${tried.why}`;
    return moveIntoPlace(scratch, folder, name);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function moveIntoPlace(scratch, folder, name) {
  try {
    renameSync(scratch, folder);
  } catch (error) {
    // Another process that filled the cache at the same time is as good.
    if (!isProgram(join(folder, name))) return `the cache cannot be written: ${error.message}`;
  }
  return null;
}

/** Runs a program within a time limit; `why` is the last line it wrote to stderr. */
function run(command, args, env, timeoutMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // spawn's own time limit keeps the process alive after a program that is not there.
    const timer = setTimeout(() => child.kill('SIGTERM'), timeoutMs);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, why: error.message, stdout });
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const last = stderr.trim().split('\n').at(-1);
      const why =
        signal === 'SIGTERM'
          ? `not done within ${timeoutMs / 1000} s`
          : last || `exit ${code ?? signal}`;
      resolve({ ok: code === 0, why, stdout });
    });
  });
}
