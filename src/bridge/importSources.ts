import path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { describeVariables } from '../config/envVars.ts';
import { ollamaAddress } from '../config/import/ollamaAddress.ts';
import { realPathOfDeepest } from '../config/paths.ts';
import type { ImportKind } from '../protocol/ui/importConfig.ts';
import { formatPlural } from '../protocol/statusLineParts.ts';
import { askModelList } from './askModelList.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { readSourceFile } from './readSourceFile.ts';

export interface ImportSource {
  readonly kind: ImportKind;
  readonly path: string | null;
  readonly baseUrl: string | null;
  /** What is known of it, in words. */
  readonly detail: string;
}

const LITELLM_NAMES = ['litellm_config.yaml', 'litellm-config.yaml', 'litellm.yaml', 'config.yaml'];
const LM_STUDIO_URL = 'http://127.0.0.1:1234';

/**
 * What there is to import, by the usual places alone: files of localagents and LiteLLM, DELEGATE_* variables, and, in a trusted window,
 * an Ollama and an LM Studio that answer on this machine.
 */
export async function importSources(
  context: BridgeContext,
  options: { cwd: string; signal?: AbortSignal },
): Promise<ImportSource[]> {
  const variables = describeVariables(context.env).length;
  const servers = context.isRestricted
    ? []
    : await Promise.all([
        askServer(context, 'ollama', localOllama(context), options.signal),
        askServer(context, 'lmstudio', LM_STUDIO_URL, options.signal),
      ]);
  return [
    ...files(context, options.cwd),
    ...(variables === 0
      ? []
      : [
          {
            ...{ kind: 'environment' as const, path: null, baseUrl: null },
            detail: `${formatPlural(variables, 'DELEGATE_* variable')} set`,
          },
        ]),
    ...servers.flatMap((each) => each ?? []),
  ];
}

function files(context: BridgeContext, cwd: string): ImportSource[] {
  const { env, homeDir } = context;
  const configHome = env['XDG_CONFIG_HOME'] || path.join(homeDir, '.config');
  const localagents = [
    ...(env['LOCALAGENTS_CONFIG'] ? [path.resolve(cwd, env['LOCALAGENTS_CONFIG'])] : []),
    path.join(configHome, 'localagents', 'models.yaml'),
  ];
  const litellm = [cwd, homeDir, path.join(configHome, 'litellm')].flatMap((folder) =>
    LITELLM_NAMES.map((name) => path.join(folder, name)),
  );
  const own = realPathOfDeepest(context.userConfigFile);
  return [
    ...localagents
      .filter((file) => realPathOfDeepest(file) !== own && holds(file, /^endpoints\s*:/m))
      .slice(0, 1)
      .map((file) => source('localagents', file)),
    // A config.yaml is anybody's; one with a list of models is LiteLLM's.
    ...litellm
      .filter((file) => holds(file, /^model_list\s*:/m))
      .map((file) => source('litellm', file)),
  ];
}

function source(kind: ImportKind, file: string): ImportSource {
  return { kind, path: file, baseUrl: null, detail: file };
}

function holds(file: string, key: RegExp): boolean {
  try {
    const text = readSourceFile(file, { isOptional: true });
    return text !== null && key.test(text);
  } catch (error) {
    // A folder or a picture of that name is nothing to import.
    if (BridgeError.is(error, 'bad_argument')) return false;
    throw error;
  }
}

/** Without being told to, only this machine is asked. */
function localOllama({ env }: BridgeContext): string | null {
  const address = ollamaAddress(env['OLLAMA_HOST']);
  const { hostname = '' } = URL.parse(address ?? '') ?? {};
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? address : null;
}

async function askServer(
  context: BridgeContext,
  kind: 'ollama' | 'lmstudio',
  baseUrl: string | null,
  signal: AbortSignal | undefined,
): Promise<ImportSource | null> {
  if (baseUrl === null) return null;
  try {
    await askModelList(context, kind, baseUrl, signal);
    return { kind, path: null, baseUrl, detail: `answers at ${baseUrl}` };
  } catch (error) {
    if (BridgeError.is(error, 'backend_unreachable', 'backend_error')) return null;
    throw error;
  }
}
