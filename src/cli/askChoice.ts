import { createInterface } from 'node:readline/promises';
import type { CliContext } from './cliContext.ts';

/** Asks on the terminal until the answer begins with one of the letters; the end of the input counts as the last of them. */
export async function askChoice(
  question: string,
  letters: string,
  { stdin, stderr }: CliContext,
): Promise<string> {
  const prompt = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<null>((resolve) => {
    prompt.once('close', () => resolve(null));
  });
  try {
    for (;;) {
      const answer = await Promise.race([prompt.question(question), closed]);
      if (answer === null) return letters.slice(-1);
      const letter = answer.trim().slice(0, 1).toLowerCase();
      if (letter !== '' && letters.includes(letter)) return letter;
    }
  } finally {
    prompt.close();
  }
}
