import { globMatch } from '../../../endpoints/globMatch.ts';

/** Redirections that only join or drop streams. */
const HARMLESS = /\d?>&\d|&>\/dev\/null|\d?>\/dev\/null/g;
/** What runs or writes something that does not stand there as a command of its own. */
const HIDING = /[`<>]|\$\(/;

/**
 * The commands that a command line is made of, by the words of the shell and without regard to quotes: too many parts at worst,
 * so that a rule is kept rather than got around.
 */
function commandsOf(line: string): string[] {
  return line
    .replace(HARMLESS, ' ')
    .split(/[;&|\n(){}]+/)
    .map((part) => part.trim().replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, ''))
    .filter((part) => part !== '');
}

/** `git *`, `git:*`, `npm test`, several with commas between them. */
function matchesRule(command: string, pattern: string): boolean {
  return pattern.split(',').some((each) => {
    const glob = each.trim().replace(/:\*$/, ' *');
    return (
      globMatch(glob, command) || (glob.endsWith(' *') && globMatch(glob.slice(0, -2), command))
    );
  });
}

/** Whether every command of the line is one that some pattern allows, and nothing is hidden in it. */
export function isCommandAllowed(line: string, patterns: readonly string[]): boolean {
  if (HIDING.test(line.replace(HARMLESS, ' '))) return false;
  return commandsOf(line).every((command) =>
    patterns.some((pattern) => matchesRule(command, pattern)),
  );
}

/** Whether some command of the line is one that a pattern forbids. This keeps to what an agent file says; it is no jail. */
export function isCommandForbidden(line: string, patterns: readonly string[]): boolean {
  return [line.trim(), ...line.split(/[`<>$]+/).flatMap(commandsOf)].some((command) =>
    patterns.some((pattern) => matchesRule(command, pattern)),
  );
}
