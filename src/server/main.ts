import { claimStdout } from './claimStdout.ts';
import { useCompileCache } from './useCompileCache.ts';

// Before anything else is loaded: whatever a library says at its start must not reach the client.
const stdout = claimStdout(process);
useCompileCache(process.env);

// In a bundle of its own, so that its compiled code can be kept.
void import('./serverMain.ts')
  .then(({ serverMain }) => serverMain(process.argv.slice(2), stdout, __dirname))
  .catch((error: unknown) => {
    process.stderr.write(
      `delegate mcp: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 1;
  })
  .then((exitCode) => process.exit(exitCode));
