import type { CliContext } from './cliContext.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What the value is, for the help: FILE, SECONDS … */
  readonly value?: string;
  readonly help: string;
}

type OptionValues = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

export interface CommandArgs {
  readonly values: OptionValues;
  readonly positionals: readonly string[];
}

/** One sub-command of `delegate`. */
export interface Command {
  /** Below "Usage:", without the program's name: `show <job> [--json]`. */
  readonly usage: string;
  readonly description: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly minPositionals: number;
  readonly maxPositionals: number;
  /** Meaning of exit codes other than 0 and 1, for the help. */
  readonly exitCodes?: string;
  /** Returns the exit code. Throws BridgeError with the sentence to print. */
  readonly run: (args: CommandArgs, context: CliContext) => Promise<number>;
}

export const JSON_OPTION: OptionSpec = {
  type: 'boolean',
  help: 'Print one JSON object for scripts',
};
export const CONFIG_OPTION: OptionSpec = {
  type: 'string',
  value: 'FILE',
  help: 'Configuration to use instead of the usual one',
};
