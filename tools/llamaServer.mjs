// Finds a real llama.cpp server for the tests, and gets one where Python's package index can be reached.
//
//   node tools/llamaServer.mjs     prints the path of the program, or on stderr why there is none (exit code 1)
//
// In this order: $LLAMA_SERVER_BIN; `llama-server` on the PATH; the cache; the cache filled by pip. What pip brings is the
// package xllamacpp, pinned by version and hash: the C++ server of llama.cpp (its HTTP code, templates, tokenizer, grammar
// and slots) inside a Python module, built for any x86-64 or ARM64 Linux. A small Python program beside it takes
// llama-server's own flags, as far as the tests use them, and starts that server.
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPythonProgram, isProgram, pythonCache } from './pythonProgram.mjs';

const PACKAGE = 'xllamacpp';
const VERSION = '2026.10.11549'; // llama.cpp b11549
const SHA256 = [
  'c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261', // Linux, x86-64
  'e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e', // Linux, ARM64
];

const LAUNCHER = `import argparse, os, sys, threading
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), 'packages'))
import xllamacpp

parser = argparse.ArgumentParser(description="llama.cpp's server, with the flags of llama-server that tests use.")
parser.add_argument('-m', '--model')
parser.add_argument('-c', '--ctx-size', type=int, default=0)
parser.add_argument('-np', '--parallel', type=int, default=1)
parser.add_argument('-t', '--threads', type=int, default=1)
parser.add_argument('--host', default='127.0.0.1')
parser.add_argument('--port', type=int, default=8080)
parser.add_argument('--alias')
parser.add_argument('--api-key')
parser.add_argument('--metrics', action='store_true')
parser.add_argument('--no-slots', action='store_true')
parser.add_argument('--version', action='store_true')
flags = parser.parse_args()
if flags.version:
    print('${PACKAGE} ${VERSION}')
    sys.exit(0)

params = xllamacpp.CommonParams()
params.model.path = flags.model
params.n_ctx = flags.ctx_size
params.n_parallel = flags.parallel
params.cpuparams.n_threads = flags.threads
params.cpuparams_batch.n_threads = flags.threads
params.hostnames = [flags.host]
params.port = flags.port
params.use_jinja = True
params.endpoint_metrics = flags.metrics
params.endpoint_slots = not flags.no_slots
if flags.alias:
    params.model_alias = [flags.alias]
if flags.api_key:
    params.api_keys = [flags.api_key]
server = xllamacpp.Server(params)
threading.Event().wait()
`;

/**
 * @param {{env?: NodeJS.ProcessEnv}} [options] environment to look in; default: this process's own
 * @returns {Promise<{ok: true, path: string} | {ok: false, reason: string}>} the program, or one sentence for a person
 */
export async function findLlamaServer({ env = process.env } = {}) {
  if (env.LLAMA_SERVER_BIN) {
    return isProgram(env.LLAMA_SERVER_BIN)
      ? { ok: true, path: env.LLAMA_SERVER_BIN }
      : { ok: false, reason: `LLAMA_SERVER_BIN is not a program: ${env.LLAMA_SERVER_BIN}` };
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = folders.map((folder) => join(folder, 'llama-server')).find(isProgram);
  if (onPath !== undefined) return { ok: true, path: onPath };

  const folder = pythonCache(`${PACKAGE}-${VERSION}`, env);
  const cached = join(folder, 'llama-server');
  if (isProgram(cached)) return { ok: true, path: cached };
  const problem = await install(folder, env);
  if (problem !== null) return { ok: false, reason: problem };
  return { ok: true, path: cached };
}

/** Fills the cache. */
function install(folder, env) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    return `no llama-server on this machine, and ${PACKAGE} is pinned for Linux only; set LLAMA_SERVER_BIN`;
  }
  return installPythonProgram({
    ...{ folder, env, program: 'llama-server', launcher: LAUNCHER },
    requirement: `${PACKAGE}==${VERSION} ${SHA256.map((hash) => `--hash=sha256:${hash}`).join(' ')}`,
    pipFlags: ['--no-deps', '--require-hashes'],
  });
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const found = await findLlamaServer();
  if (found.ok) {
    console.log(found.path);
  } else {
    console.error(found.reason);
    process.exitCode = 1;
  }
}
