import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const rehearse: Command = {
  usage: 'rehearse [--port N] [--model NAME] [--json]',
  description:
    'Runs a model server that needs no model: it plays the ```rehearsal script in the brief. For trying out the whole\npath without a GPU, an account or a network. Ctrl+C ends it.',
  minPositionals: 0,
  maxPositionals: 0,
  options: {
    port: { type: 'string', value: 'N', help: 'Port on this machine; default: a free one' },
    model: { type: 'string', value: 'NAME', help: 'Name it answers to; default rehearsal' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const port = numberOption(args, 'port', { isWhole: true });
    const model = textOption(args, 'model');
    const { startRehearsal } = await import('../../rehearsal/startRehearsal.ts');
    const server = await startRehearsal({
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
    });
    await server.close();
    return 0;
  },
};
