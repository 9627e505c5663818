import { claimStdout } from '../../server/claimStdout.ts';
import { type Command, CONFIG_OPTION } from '../command.ts';
import { flag, textOption } from '../optionReaders.ts';

export const mcp: Command = {
  usage: 'mcp [--config FILE] [--profile NAME] [--restricted]',
  description:
    'Serves an MCP client over stdin and stdout, until the client leaves. Jobs go on without it.\n"delegate setup" registers it with Claude Code.',
  minPositionals: 0,
  maxPositionals: 0,
  options: {
    config: CONFIG_OPTION,
    profile: { type: 'string', value: 'NAME', help: 'bridge (default), localagents or ui' },
    restricted: { type: 'boolean', help: 'Only tools that look; no workspace file is used' },
    http: { type: 'string', value: 'ADDRESS', help: 'Not part of this version' },
    'progress-interval-ms': {
      type: 'string',
      value: 'N',
      help: 'How often a waiting client hears of its job',
    },
  },
  run: async (args, context) => {
    if (context.stdin.isTTY === true) {
      context.stderr.write(
        'Waiting for an MCP client on stdin; to stop: Ctrl+C. See delegate mcp --help.\n',
      );
    }
    // Before the rest is loaded: whatever a library says at its start must not reach the client.
    const stdout = claimStdout(process);
    const { runServer } = await import('../../server/runServer.ts');
    const named = ['config', 'profile', 'http', 'progress-interval-ms'].flatMap((name) => {
      const value = textOption(args, name);
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    const argv = flag(args, 'restricted') ? [...named, '--restricted'] : named;
    return runServer(argv, stdout, context.distDir);
  },
};
