import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { environment } from '../config/import/environment.ts';
import type { Imported } from '../config/import/imported.ts';
import { isLiteLlmGateway, liteLlmConfig } from '../config/import/liteLlmConfig.ts';
import { liteLlmIncludes } from '../config/import/liteLlmIncludes.ts';
import { LiteralKeys } from '../config/import/literalKeys.ts';
import { lmStudio } from '../config/import/lmStudio.ts';
import { localAgents } from '../config/import/localAgents.ts';
import { ollama } from '../config/import/ollama.ts';
import { ollamaAddress } from '../config/import/ollamaAddress.ts';
import { expandHome } from '../config/paths.ts';
import type { ImportKind } from '../protocol/ui/importConfig.ts';
import { askModelList } from './askModelList.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { sha256Of } from './sha256Of.ts';
import { readSourceFile } from './readSourceFile.ts';

export interface ImportFrom {
  readonly kind: ImportKind;
  /** Of localagents and litellm: the file. */
  readonly path?: string;
  /** Of ollama, lmstudio and litellm: where it listens, when that is not the usual address. */
  readonly baseUrl?: string;
  /** Of litellm: itself, or the servers behind it. Default: itself, when its file says that it is a gateway and it answers. */
  readonly as?: 'gateway' | 'direct';
}

export interface ReadImport {
  /** For a person. */
  readonly source: string;
  readonly sha256: string;
  readonly imported: Imported;
}

interface ReadOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

const LITELLM_URL = 'http://127.0.0.1:4000';
const LM_STUDIO_URL = 'http://127.0.0.1:1234';

/** Reads one source. Files are read in any window; servers are asked in trusted ones alone. */
export async function readImport(
  context: BridgeContext,
  from: ImportFrom,
  options: ReadOptions,
): Promise<ReadImport> {
  switch (from.kind) {
    case 'localagents': {
      const file = fileOf(context, from, options.cwd);
      const text = readSourceFile(file);
      const literals = await literalKeys(context);
      return { source: file, sha256: sha256Of(text), imported: localAgents(text, literals) };
    }
    case 'litellm':
      return readLiteLlm(context, from, options);
    case 'environment': {
      const imported = environment(context.env);
      return {
        source: 'the DELEGATE_* variables',
        sha256: sha256Of(JSON.stringify(imported.file)),
        imported,
      };
    }
    case 'ollama': {
      const url = addressOf(
        from.baseUrl ?? ollamaAddress(context.env['OLLAMA_HOST']),
        'OLLAMA_HOST',
      );
      const { list } = await askModelList(context, 'ollama', url, options.signal);
      return served(url, list, ollama(url, list));
    }
    case 'lmstudio': {
      const url = addressOf(from.baseUrl ?? LM_STUDIO_URL, 'the address');
      const { list, isOwn } = await askModelList(context, 'lmstudio', url, options.signal);
      return served(url, list, lmStudio(url, list, isOwn));
    }
  }
}

async function readLiteLlm(
  context: BridgeContext,
  from: ImportFrom,
  options: ReadOptions,
): Promise<ReadImport> {
  const file = fileOf(context, from, options.cwd);
  const texts = [readSourceFile(file)];
  const { config, notes } = liteLlmIncludes(texts[0] ?? '', (name) => {
    const included = fileBeside(file, name);
    const text = included === null ? null : readSourceFile(included, { isOptional: true });
    if (text !== null) texts.push(text);
    return text;
  });
  const gatewayUrl = addressOf(from.baseUrl ?? LITELLM_URL, 'the address');
  const as = from.as ?? (await guessAs(context, config, gatewayUrl, options.signal));
  const imported = liteLlmConfig(config, {
    ...{ as, gatewayUrl, env: context.env },
    literals: await literalKeys(context),
  });
  return {
    source: file,
    sha256: sha256Of(JSON.stringify(texts)),
    imported: { ...imported, notes: [...notes, ...imported.notes] },
  };
}

/** Itself, when its file says that clients go through it and it answers now. */
async function guessAs(
  context: BridgeContext,
  config: Record<string, unknown>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<'gateway' | 'direct'> {
  if (!isLiteLlmGateway(config) || context.isRestricted) return 'direct';
  try {
    await askModelList(context, 'litellm', url, signal);
    return 'gateway';
  } catch (error) {
    if (BridgeError.is(error, 'backend_unreachable', 'backend_error')) return 'direct';
    throw error;
  }
}

function served(url: string, list: unknown, imported: Imported): ReadImport {
  return { source: url, sha256: sha256Of(JSON.stringify(list)), imported };
}

/** Knows the values that are kept, so that a key that is there already gets no second name. */
async function literalKeys(context: BridgeContext): Promise<LiteralKeys> {
  const { secrets } = context;
  const kept = await secrets.read(secrets.names());
  return new LiteralKeys((name) => kept.get(name));
}

function fileOf({ homeDir }: BridgeContext, from: ImportFrom, cwd: string): string {
  if (from.path === undefined || from.path === '')
    throw new BridgeError('bad_argument', 'The file to import is not named.', {
      hint: `Say which file of ${from.kind} it is.`,
    });
  return path.resolve(cwd, expandHome(from.path, homeDir));
}

/** A file that a configuration includes; null when it is not below the folder of that configuration. */
function fileBeside(file: string, name: string): string | null {
  const folder = path.dirname(realpathSync(file));
  const included = path.resolve(folder, name);
  try {
    const inside = path.relative(folder, realpathSync(included));
    return inside.startsWith('..') || path.isAbsolute(inside) ? null : included;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES')
      return null;
    throw error;
  }
}

function addressOf(text: string | null, what: string): string {
  const url = URL.parse(text ?? '');
  if (text === null || url === null || !/^https?:$/.test(url.protocol))
    throw new BridgeError('bad_argument', `${what} is no http or https address.`, {
      hint: 'For example http://127.0.0.1:11434.',
    });
  if (url.username !== '' || url.password !== '')
    throw new BridgeError('bad_argument', `${what} holds a password.`, { hint: 'Leave it out.' });
  return text;
}
