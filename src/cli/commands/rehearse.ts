import { BridgeError } from '../../base/bridgeError.ts';
import type { Rehearsal, RehearsalOptions } from '../../rehearsal/startRehearsal.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const rehearse: Command = {
  usage: 'rehearse [--port N] [--model NAME] [--with-parent] [--json]',
  description:
    'Runs a model server that needs no model: it plays the ```rehearsal script in the brief. For trying out the whole\npath without a GPU, an account or a network. Ctrl+C ends it.',
  minPositionals: 0,
  maxPositionals: 0,
  options: {
    port: { type: 'string', value: 'N', help: 'Port on this machine; default: a free one' },
    model: { type: 'string', value: 'NAME', help: 'Name it answers to; default rehearsal' },
    'with-parent': {
      type: 'boolean',
      help: 'Ends when stdin is closed, so also when whoever started it was killed',
    },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const port = numberOption(args, 'port', { isWhole: true });
    const model = textOption(args, 'model');
    const { startRehearsal } = await import('../../rehearsal/startRehearsal.ts');
    const server = await listen(startRehearsal, {
      ...(port === undefined ? {} : { port }),
      ...(model === undefined ? {} : { model }),
    });
    if (flag(args, 'json')) printJson(context, { url: server.url });
    else {
      printText(
        context,
        `The rehearsal server listens at ${server.url}.\nTo register it: delegate endpoint add rehearsal ${server.url}`,
      );
    }
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
      if (flag(args, 'with-parent')) process.stdin.once('close', () => resolve()).resume();
    });
    process.stdin.destroy();
    await server.close();
    return 0;
  },
};

async function listen(
  start: (options: RehearsalOptions) => Promise<Rehearsal>,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  try {
    return await start(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new BridgeError('wrong_state', `Port ${options.port} is in use.`, {
      hint: 'Name another one, or none: then a free one is taken.',
    });
  }
}
