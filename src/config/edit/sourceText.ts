import { CST, type Document, Lexer } from 'yaml';
import { readYamlText } from '../yamlText.ts';
import { type Data, toData } from './data.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A text with what its tokens say: its tree, its data, and which of its lines are comments. */
export class SourceText {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly data: Data;
  readonly #comments: ReadonlySet<number>;
  readonly #marks: ReadonlySet<number>;
  /** Offset of the line of "...", or the end. */
  readonly #end: number;

  private constructor(text: string, document: Document.Parsed) {
    this.text = text;
    this.document = document;
    // A file without any key is a group without any.
    this.data = toData(document.toJS({ mapAsMap: true, maxAliasCount: 100 }) ?? new Map());
    const { comments, marks, end } = scan(text);
    this.#comments = comments;
    this.#marks = marks;
    this.#end = end;
  }

  static read(text: string): SourceText | Refusal {
    const { document, findings } = readYamlText(text, { keepsTokens: true });
    const error = findings.find((finding) => finding.severity === 'error');
    if (error !== undefined || document === null) {
      const at = error !== undefined && error.range.line > 0 ? `Line ${error.range.line}: ` : '';
      return refuse(`${at}${error?.message ?? 'the file cannot be read'}.`);
    }
    return new SourceText(text, document);
  }

  lineStart(offset: number): number {
    const start = offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
    return start === 0 && this.text.startsWith('\uFEFF') ? Math.min(1, offset) : start;
  }

  /** Offset behind the line break of the line that holds the character before `offset`. */
  lineEnd(offset: number): number {
    if (offset > 0 && this.text[offset - 1] === '\n') return offset;
    const lineBreak = this.text.indexOf('\n', offset);
    return lineBreak < 0 ? this.text.length : lineBreak + 1;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  /** Column of the "#" of a line that is a comment and nothing else; null for any other line. */
  commentColumn(lineStart: number): number | null {
    let at = lineStart;
    while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    return this.#comments.has(at) ? at - lineStart : null;
  }

  isBlankLine(lineStart: number): boolean {
    return this.text.slice(lineStart, this.lineEnd(lineStart + 1)).trim() === '';
  }

  isFirstLine(lineStart: number): boolean {
    return lineStart === 0 || (lineStart === 1 && this.text.startsWith('\uFEFF'));
  }

  /** Whether the line holds "---" or a directive such as "%YAML 1.2". */
  isDocumentMark(lineStart: number): boolean {
    return this.#marks.has(lineStart);
  }

  isComment(offset: number): boolean {
    return this.#comments.has(offset);
  }

  /** Where a section is appended. */
  get appendAt(): number {
    const start = this.lineStart(this.#end);
    return this.text.slice(start, this.#end).trim() === '' ? start : this.#end;
  }

  /** The line end of the neighbourhood. */
  eolAt(offset: number): string {
    const before = this.text.lastIndexOf('\n', offset - 1);
    const at = before >= 0 ? before : this.text.indexOf('\n', offset);
    return at > 0 && this.text[at - 1] === '\r' ? '\r\n' : '\n';
  }
}

function scan(text: string): { comments: Set<number>; marks: Set<number>; end: number } {
  const comments = new Set<number>();
  const marks = new Set<number>();
  let offset = 0;
  let end = text.length;
  let isScalarNext = false;
  for (const source of new Lexer().lex(text)) {
    if (isScalarNext) {
      isScalarNext = false;
      offset += source.length;
      continue;
    }
    const type = CST.tokenType(source);
    if (type === 'scalar') isScalarNext = true;
    if (type === 'comment') comments.add(offset);
    if (type === 'doc-start' || type === 'directive-line') marks.add(offset);
    if (type === 'doc-end') end = offset;
    // These three stand for no character of the text.
    if (type !== 'scalar' && type !== 'doc-mode' && type !== 'flow-error-end')
      offset += source.length;
  }
  return { comments, marks, end };
}
