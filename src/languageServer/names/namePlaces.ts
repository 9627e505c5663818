import type { Location } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ConfigText } from '../modelsDocuments.ts';
import { readOutline } from '../text/readOutline.ts';
import { type NameUse, nameUses } from './nameUses.ts';

export interface NamePlace extends Location {
  readonly isDefinition: boolean;
}

/** Every place of the files that says this name of this kind. */
export function namePlaces(files: readonly ConfigText[], { kind, name }: NameUse): NamePlace[] {
  return files.flatMap(({ uri, text }) => {
    const document = TextDocument.create(uri, 'yaml', 0, text);
    return nameUses(text, readOutline(text))
      .filter((each) => each.kind === kind && each.name === name)
      .map(({ span, isDefinition }) => ({
        uri,
        range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
        isDefinition,
      }));
  });
}
