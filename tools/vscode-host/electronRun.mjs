// One run of @vscode/test-electron in a process, so that all of it can be ended. Argument: the options of runTests, as JSON.
import { runTests } from '@vscode/test-electron';

try {
  process.exitCode = await runTests(JSON.parse(process.argv[2]));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
