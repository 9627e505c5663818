// The process of the language server for models.yaml. It has no features yet: it answers nothing, and ends with the
// process that started it, which is when its stdin closes.
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
process.stdin.once('error', () => process.exit(0));
