#!/usr/bin/env node
// Stands in for the executable of a desktop VS Code, which cannot be downloaded everywhere: takes the arguments that
// @vscode/test-electron gives to it, and runs the tests in the VS Code of startHost.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { startHost } from './startHost.mjs';

/** What a suite is told by its environment. */
const FOR_TESTS = /^(HOST_|DELEGATE_|XDG_|PATH$|HOME$|GIT_CONFIG_NOSYSTEM$|LC_ALL$)/;

const given = { extension: [] };
for (const argument of process.argv.slice(2)) {
  const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
  if (name === undefined) given.folder ??= argument;
  else if (name === 'extensionDevelopmentPath') given.extension.push(value);
  else if (name === 'extensionTestsPath') given.tests = value;
  else if (name === 'user-data-dir') given.settings = readSettings(value);
}

let exit;
const exited = new Promise((resolve) => (exit = resolve));
const host = await startHost({
  ...given,
  onExit: exit,
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => FOR_TESTS.test(name))),
});
const code = await exited;
await host.stop();
process.exit(code);

function readSettings(userData) {
  const file = path.join(userData, 'User', 'settings.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
}
