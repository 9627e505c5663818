export interface FirstJob {
  /** First line of the brief, as lists show it. */
  readonly title: string;
  /** What comes of it, in one sentence for a person. */
  readonly outcome: string;
  /** The whole brief. */
  readonly task: string;
}

/** What of a repository decides which first job surely works there. */
export interface FirstJobPlace {
  /** Names of the files at its top. */
  readonly files: readonly string[];
  readonly name: string;
  /** Whether a script plays the model, which must be in the brief then. */
  readonly isRehearsed: boolean;
}

/** The file of the practice repository that has the bug, and the one that shows it. */
const PRACTICE = ['range.js', 'range.test.js'];

/** A small job: the bug of the practice repository, else a file that nobody has yet. */
export function firstJob(place: FirstJobPlace): FirstJob {
  const job = PRACTICE.every((name) => place.files.includes(name))
    ? fixRange()
    : addFile(freeName(place.files), place.name);
  const { title, outcome, brief, script } = job;
  const text = `${title}\n\n${brief}`;
  if (!place.isRehearsed) return { title, outcome, task: text };
  return { title, outcome, task: `${text}\n\n\`\`\`rehearsal\n${script.join('\n')}\n\`\`\`` };
}

interface Draft {
  readonly title: string;
  readonly outcome: string;
  readonly brief: string;
  readonly script: readonly string[];
}

function fixRange(): Draft {
  return {
    title: 'Fix the off-by-one in range()',
    outcome: 'changes one line of range.js, so that "node --test" is green',
    brief:
      'The test in range.test.js is red: range(1, 3) must be [1, 2, 3]. Find the bug in range.js and fix it there. Do not change the test. Report what you changed.',
    script: [
      'read range.js',
      'edit range.js: number < end => number <= end',
      'say: The loop in range.js left out the last number; it now runs to number <= end.',
    ],
  };
}

function addFile(file: string, repository: string): Draft {
  const name = plain(repository);
  return {
    title: `Add ${file}`,
    outcome: `adds the file ${file} with a few lines; you can reject it`,
    brief: `Add the file ${file} at the top of this repository, with a heading and three short lines: what this repository is for, which command runs its tests (say so if you find none), and that a delegated job has written this. Change nothing else.`,
    script: [
      `write ${file} <<END_OF_FILE`,
      `# ${name}`,
      '',
      'A delegated job has written this file in a worktree of its own.',
      'The rehearsal server played it: no model was asked.',
      'Accept it to see how files come into the checkout, or reject it.',
      'END_OF_FILE',
      `say: Added ${file} with a heading and three lines.`,
    ],
  };
}

function freeName(files: readonly string[]): string {
  const taken = new Set(files.map((file) => file.toLowerCase()));
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'DELEGATION.md' : `DELEGATION-${n}.md`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** A folder's name could hold anything: only what makes a heading stays. */
function plain(text: string): string {
  const clean = text
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, 60);
  return clean === '' || clean === 'END_OF_FILE' ? 'Delegation' : clean;
}
