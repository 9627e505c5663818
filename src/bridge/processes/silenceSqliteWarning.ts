/**
 * node:sqlite announces on stderr that it is experimental (Node 22). Imported first by every entry point: the warning comes
 * when the module is loaded. Every other warning stays.
 */
const emitWarning = process.emitWarning.bind(process) as (...parts: unknown[]) => void;

process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  const text = typeof warning === 'string' ? warning : warning.message;
  if (text.includes('SQLite is an experimental feature')) return;
  emitWarning(warning, ...rest);
}) as typeof process.emitWarning;
