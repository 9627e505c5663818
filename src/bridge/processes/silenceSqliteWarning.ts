/**
 * node:sqlite announces on stderr that it is experimental (Node 22). Imported first by every entry point: the warning comes
 * when the module is loaded. Every other warning stays.
 */
const emitWarning = process.emitWarning.bind(process);

process.emitWarning = (warning: string | Error, options?: NodeJS.EmitWarningOptions | string) => {
  const text = typeof warning === 'string' ? warning : warning.message;
  if (text.includes('SQLite is an experimental feature')) return;
  emitWarning(warning, options as NodeJS.EmitWarningOptions);
};
