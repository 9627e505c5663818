/** The example with every line a comment: a file that changes nothing until somebody takes a "# " away. */
export function commentedExample(example: string): string {
  return example
    .split('\n')
    .map((line) => (line.trim() === '' || line.startsWith('#') ? line : `# ${line}`))
    .join('\n')
    .replace(
      /^# Copy what you need to .*\n/m,
      '# Take away the "# " in front of what you need, with the lines above it that it belongs to.\n',
    );
}
