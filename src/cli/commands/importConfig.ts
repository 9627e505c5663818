import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { ImportPlan } from '../../bridge/importConfig.ts';
import type { ImportFrom } from '../../bridge/readImport.ts';
import { literalSecrets } from '../../config/literalSecrets.ts';
import { formatProblem } from '../../config/problem.ts';
import { redactor } from '../../config/secrets.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { importKindSchema } from '../../protocol/ui/importConfig.ts';
import { type Command, type CommandArgs, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import type { CliContext } from '../cliContext.ts';
import { formatConfigDiff } from '../formatConfigDiff.ts';
import { flag, positional, textOption, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

const WITH_FILE = ['localagents', 'litellm'];

export const importConfig: Command = {
  usage:
    'import localagents|litellm <file> | environment | ollama | lmstudio\n                       [--url URL] [--as gateway|direct] [--to file|sidecar] [--write] [--keep-keys] [--json]',
  description:
    "Shows as a diff what another tool's configuration would add to models.yaml. What is there stays: an endpoint with the\nsame address is not added again. A key that stands in the file is never copied: it becomes ${secret:NAME}.",
  minPositionals: 1,
  maxPositionals: 2,
  exitCodes: '0 it was shown or written, also when there was nothing to add; 1 not so.',
  options: {
    url: { type: 'string', value: 'URL', help: 'Where the server listens; default: as usual' },
    as: {
      type: 'string',
      value: 'WORD',
      help: 'litellm: itself (gateway) or what is behind it (direct); default: itself when it answers',
    },
    to: {
      type: 'string',
      value: 'WORD',
      help: 'file: models.yaml (default); sidecar: the one beside it that is kept out of git',
    },
    write: { type: 'boolean', help: 'Write it' },
    'keep-keys': {
      type: 'boolean',
      help: 'With --write: move the keys that stand in the file to the secret store',
    },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const from = readFrom(args);
    const bridge = await context.bridge(textOption(args, 'config'));
    const target = wordOption(args, 'to', ['file', 'sidecar']) ?? 'file';
    const { cwd } = context;
    const plan = await bridge.imports.plan({ from, target }, { cwd });
    const isWriting = flag(args, 'write');
    const open = plan.secrets.filter(({ isKept }) => !isKept).map(({ name }) => name);
    let kept: readonly string[] = [];
    if (isWriting) {
      // First, so that the file never refers to a key that is not there.
      if (flag(args, 'keep-keys') && open.length > 0)
        kept = await bridge.imports.keepKeys(
          from,
          { names: open, sha256: plan.sourceSha256 },
          { cwd },
        );
      bridge.imports.write(plan);
    }
    if (flag(args, 'json')) printPlan(context, plan, { isWriting, kept });
    else tell(context, plan, { isWriting, kept, open });
    return 0;
  },
};

function readFrom(args: CommandArgs): ImportFrom {
  const word = positional(args, 0);
  const { data: kind } = importKindSchema.safeParse(word);
  if (kind === undefined)
    throw wrong(`there is nothing to import from "${sanitiseLine(word, 40)}".`);
  const [, file] = args.positionals;
  if (WITH_FILE.includes(kind) !== (file !== undefined))
    throw wrong(file === undefined ? `${kind} needs its file.` : `${kind} has no file.`);
  const baseUrl = textOption(args, 'url');
  const as = wordOption(args, 'as', ['gateway', 'direct']);
  return {
    kind,
    ...(file === undefined ? {} : { path: file }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(as === undefined ? {} : { as }),
  };
}

function wrong(what: string): BridgeError {
  return new BridgeError('bad_argument', `delegate import: ${what}`, {
    hint: `Usage: delegate ${importConfig.usage}`,
  });
}

interface Done {
  readonly isWriting: boolean;
  readonly kept: readonly string[];
}

function tell(
  context: CliContext,
  plan: ImportPlan,
  { isWriting, kept, open }: Done & { open: readonly string[] },
): void {
  const { before, after, targetFile, replacements, notes, problems } = plan;
  const redact = redactor(literalSecrets(before ?? ''));
  if (before === after)
    printText(context, `${targetFile} says all of it already; there is nothing to add.`);
  else if (isWriting) printText(context, `Written: ${targetFile}`);
  else {
    const options = { file: targetFile, isNew: before === null, redact };
    printText(context, formatConfigDiff(before ?? '', after, replacements, options));
  }
  // Not part of the diff, so that "delegate import … > x.patch" gives one.
  const say = (text: string): void => void context.stderr.write(`${sanitiseLine(text, 1_000)}\n`);
  for (const note of notes) say(note);
  for (const problem of problems) say(`${problem.severity}: ${formatProblem(problem)}`);
  const left = open.filter((name) => !kept.includes(name));
  if (kept.length > 0) say(`Kept ${kept.join(', ')} in the secret store.`);
  if (left.length > 0)
    say(
      `${formatPlural(left.length, 'key')} of the file ${left.length === 1 ? 'is' : 'are'} only referred to: ${
        isWriting
          ? left.map((name) => `delegate secret set ${name}`).join('; ')
          : `${left.join(', ')}. --keep-keys moves them to the secret store`
      }.`,
    );
  if (!isWriting && before !== after) say('Nothing has been written; --write does.');
}

function printPlan(context: CliContext, plan: ImportPlan, { isWriting, kept }: Done): void {
  const { source, targetFile, before, after, replacements, notes, secrets, problems } = plan;
  const redact = redactor(literalSecrets(before ?? ''));
  const options = { file: targetFile, isNew: before === null, redact };
  printJson(context, {
    ...{ source, targetFile, isWritten: isWriting && before !== after },
    diff: formatConfigDiff(before ?? '', after, replacements, options),
    ...{ notes, secrets, kept },
    problems: problems.map(({ line, column, severity, message }) => ({
      ...{ line, column, severity, message },
    })),
  });
}
