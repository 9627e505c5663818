import type { TextDocumentEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formatPath } from '../../config/configPath.ts';
import { modelPatternSchema, nameSchema } from '../../config/schemaParts.ts';
import { yamlWord } from '../completion/yamlWord.ts';
import type { ConfigText } from '../modelsDocuments.ts';
import { readOutline } from '../text/readOutline.ts';
import { type NameUse, nameUses } from './nameUses.ts';

export type RenameAnswer =
  | { readonly isOk: true; readonly edits: TextDocumentEdit[] }
  /** A sentence for a person. */
  | { readonly isOk: false; readonly message: string };

/** Why a name cannot get another one at all; null: it can. */
export function whyFixed({ kind, name }: NameUse): string | null {
  return kind === 'pool'
    ? `"${name}" is the beginning of names of models, not a name of its own. Change it where it stands.`
    : null;
}

/** Gives an endpoint, a gate or a model another name wherever these files say the old one. */
export function renameName(
  files: readonly ConfigText[],
  use: NameUse,
  typed: string,
): RenameAnswer {
  const to = typed.trim();
  const fixed = whyFixed(use);
  const refused = fixed ?? whyNot(use, to);
  if (refused !== null) return { isOk: false, message: refused };
  const all = files.map((file) => ({ file, uses: nameUses(file.text, readOutline(file.text)) }));
  const taken = all.some(({ uses }) => isTaken(uses, use, to));
  if (taken) {
    return { isOk: false, message: `"${to}" is there already. Choose another name.` };
  }
  const edits = all.flatMap(({ file, uses }) => {
    const same = uses.filter(({ kind, name }) => kind === use.kind && name === use.name);
    if (same.length === 0) return [];
    const document = TextDocument.create(file.uri, 'yaml', 0, file.text);
    return [
      {
        textDocument: { uri: file.uri, version: file.version },
        edits: same.map(({ span, quote, isFlow }) => ({
          range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
          newText: yamlWord(to, quote, isFlow),
        })),
      },
    ];
  });
  return { isOk: true, edits };
}

function whyNot({ kind }: NameUse, to: string): string | null {
  if (/\p{Cc}/u.test(to)) return 'A name stands on one line, without control characters.';
  const schema = kind === 'model' ? modelPatternSchema : nameSchema;
  const checked = schema.safeParse(to);
  return checked.success
    ? null
    : `"${to}" cannot be a name: ${checked.error.issues[0]?.message ?? 'not allowed'}.`;
}

/** Whether one group would have two keys of the new name, or two things would have it. */
function isTaken(uses: readonly NameUse[], { kind, name }: NameUse, to: string): boolean {
  if (to === name) return false;
  const keys = uses.filter((each) => each.kind === kind && each.path.at(-1) === each.name);
  const groups = new Set(
    keys.filter((each) => each.name === name).map(({ path }) => formatPath(path.slice(0, -1))),
  );
  return keys.some(
    (each) =>
      each.name === to && (kind !== 'model' || groups.has(formatPath(each.path.slice(0, -1)))),
  );
}
