import { parseArgs } from 'node:util';
import { BridgeError } from '../base/bridgeError.ts';

export const PROFILES = ['bridge', 'ui', 'localagents', 'delegate-local'] as const;
export type Profile = (typeof PROFILES)[number];

export interface ServerOptions {
  readonly profile: Profile;
  readonly isRestricted: boolean;
  /** --config; null: the usual look-up. */
  readonly configFile: string | null;
  /** How often a waiting client hears of its job, at least. */
  readonly progressIntervalMs: number;
}

const DEFAULT_PROGRESS_INTERVAL_MS = 15_000;

/** Throws BridgeError bad_argument or not_supported with the sentence to print. */
export function parseServerOptions(argv: readonly string[]): ServerOptions {
  const values = parse(argv);
  if (values.http !== undefined) {
    throw new BridgeError(
      'not_supported',
      'Serving over HTTP (--http) is not part of this version.',
      {
        hint: 'Start the server over stdio: "delegate mcp".',
      },
    );
  }
  return {
    profile: profileOf(values.profile ?? 'bridge'),
    isRestricted: values.restricted ?? false,
    configFile: values.config ?? null,
    progressIntervalMs: intervalOf(values['progress-interval-ms']),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        profile: { type: 'string' },
        restricted: { type: 'boolean' },
        http: { type: 'string' },
        'progress-interval-ms': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new BridgeError('bad_argument', `delegate mcp: ${(error as Error).message}`, {
      hint: 'It takes --config FILE, --profile NAME and --restricted.',
      cause: error,
    });
  }
}

function profileOf(name: string): Profile {
  const profile = PROFILES.find((known) => known === name);
  if (profile !== undefined) return profile;
  throw new BridgeError('bad_argument', `There is no profile "${name}".`, {
    hint: `The profiles are ${PROFILES.join(', ')}.`,
  });
}

function intervalOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PROGRESS_INTERVAL_MS;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new BridgeError('bad_argument', '--progress-interval-ms takes a whole number above 0.');
}
