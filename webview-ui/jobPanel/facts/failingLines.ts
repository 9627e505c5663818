interface FailingLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const MAX_LINES = 40;
const MAX_LENGTH = 400;

/** How checkers say that something is wrong: test runners, compilers, linters. */
const FAILING: readonly RegExp[] = [
  /^\s*(?:✖|✗|✘|×|❌)\s/u,
  /^\s*not ok\b/,
  /^\s*(?:---\s*)?FAIL(?:ED|URE)?\b/,
  /^\s*(?:[\w./\\-]+\s+)?(?:fatal |internal )?error(?:\[\w+\])?:/i,
  /\berror\s+TS\d+:/,
  /:\d+(?::\d+)?:?\s+(?:fatal )?error\b/i,
  /^\s*\d+:\d+\s+error\s/,
  /\b[A-Z]\w*(?:Error|Exception)\b(?:\s*\[\w+\])?:/,
  /^E\s{2,}\S/,
  /\bpanicked at\b/,
  /^Traceback \(most recent call last\)/,
  /\b(?:[1-9]\d*) (?:failed|failing|failures?|errors?)\b/i,
  /\bcommand not found\b/,
  /^npm (?:ERR!|error)\s/,
];

/** The lines of a check's output that tell what failed, in their order, each once. */
export function failingLines(output: string): FailingLine[] {
  const seen = new Set<string>();
  const found: FailingLine[] = [];
  for (const [index, line] of output.split('\n').entries()) {
    const text = line.trim();
    if (text === '' || seen.has(text)) continue;
    if (!FAILING.some((pattern) => pattern.test(line.slice(0, MAX_LENGTH)))) continue;
    seen.add(text);
    found.push({ number: index + 1, text: text.slice(0, MAX_LENGTH) });
    if (found.length === MAX_LINES) break;
  }
  return found;
}
