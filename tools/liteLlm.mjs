// Finds a real LiteLLM proxy for the tests, and gets one where Python's package index can be reached.
//
//   node tools/liteLlm.mjs     prints the path of the program, or on stderr why there is none (exit code 1)
//
// In this order: $LITELLM_BIN; the cache; the cache filled by pip (about 400 MB with what it needs, which is why no `litellm` that happens
// to be on the PATH is taken: its version would decide what the test sees).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPythonProgram, isProgram, pythonCache } from './pythonProgram.mjs';

const VERSION = '1.83.9';

const LAUNCHER = `import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), 'packages'))
os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'  # or it fetches a price list when it starts
if '--version' in sys.argv:
    import litellm.proxy.proxy_server
    print('litellm ${VERSION}')
    sys.exit(0)
from litellm import run_server
run_server()
`;

/**
 * @param {{env?: NodeJS.ProcessEnv}} [options] environment to look in; default: this process's own
 * @returns {Promise<{ok: true, path: string} | {ok: false, reason: string}>} the program, or one sentence for a person
 */
export async function findLiteLlm({ env = process.env } = {}) {
  if (env.LITELLM_BIN) {
    return isProgram(env.LITELLM_BIN)
      ? { ok: true, path: env.LITELLM_BIN }
      : { ok: false, reason: `LITELLM_BIN is not a program: ${env.LITELLM_BIN}` };
  }
  const folder = pythonCache(`litellm-${VERSION}`, env);
  const cached = join(folder, 'litellm');
  if (isProgram(cached)) return { ok: true, path: cached };
  const problem = await installPythonProgram({
    ...{ folder, env, program: 'litellm', launcher: LAUNCHER },
    requirement: `litellm[proxy]==${VERSION}`,
  });
  return problem === null ? { ok: true, path: cached } : { ok: false, reason: problem };
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const found = await findLiteLlm();
  if (found.ok) {
    console.log(found.path);
  } else {
    console.error(found.reason);
    process.exitCode = 1;
  }
}
