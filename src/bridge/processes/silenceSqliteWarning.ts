/**
 * node:sqlite announces on stderr that it is experimental (Node 22). Imported first by every entry point: the warning comes
 * when the module is loaded. Every other warning stays.
 */
const emitWarning = process.emitWarning.bind(process);

process.emitWarning = (...args: unknown[]): void => {
  const [warning] = args;
  const text = warning instanceof Error ? warning.message : String(warning);
  if (text.includes('SQLite is an experimental feature')) return;
  Reflect.apply(emitWarning, process, args);
};
