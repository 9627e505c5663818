import { startCli } from './startCli.ts';

void startCli(process.argv.slice(2), __dirname);
