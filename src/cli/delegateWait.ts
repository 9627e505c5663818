// The program `delegate-wait`: `delegate wait` under the name that agents written for delegate-local call.
import { startCli } from './startCli.ts';

void startCli(['wait', ...process.argv.slice(2)], __dirname);
