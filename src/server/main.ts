import { claimStdout } from './claimStdout.ts';

// Before anything else is loaded: whatever a library says at its start must not reach the client.
const stdout = claimStdout(process);

void import('./runServer.ts')
  .then(({ runServer }) => runServer(process.argv.slice(2), stdout, __dirname))
  .catch((error: unknown) => {
    process.stderr.write(
      `delegate mcp: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 1;
  })
  .then((exitCode) => process.exit(exitCode));
