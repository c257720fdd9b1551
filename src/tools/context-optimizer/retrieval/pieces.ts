import { isImport, isSignature } from "../code-blocks.ts";
import { isHead } from "./definition-heads.ts";

/** A function, a part of a long one, or the lines in between: what is kept as a whole. */
export interface Piece {
  /** Lines, counted from 0; `to` is exclusive. */
  from: number;
  to: number;
  /** The name of what it declares, after those of its containers from the outside in. */
  names: readonly string[];
}

/** Longer pieces are cut, if possible where a line is empty. */
const MAX_LINES = 50;
const CONTAINER =
  /^\s*(?:[\w@()."'<>, ]*\s)?(?:class|interface|struct|trait|impl|enum|object|module|namespace|extension|protocol|actor|record|mod|defmodule|defimpl|defprotocol)\b/;
/** `namespace` and `package` without a body hold the whole file, so that they are no pieces. */
const FILE_SCOPE = /^\s*(?:namespace|package)\s[^{;]*;\s*$/;
const LEADING =
  /^\s*(?:@|#\[|\[\w.*\]\s*$|#(?!include|define|if|endif|else)|\/\/|\/\*|\*|--\s|"""|template\s*<.*>\s*$)/;
const CONTINUES = /^\s*(?:[)}\]{]|->|end\b|else\b|elif\b|except\b|finally\b|catch\b|rescue\b|ensure\b)/;
/** Directives and labels of C and C++, which stand further out than what they are in. */
const OUTDENTED =
  /^\s*(?:#\s*(?:ifdef|ifndef|endif|(?:el)?if\s+[!(]*(?:defined|[A-Z_]{2}|\d)|else\s*(?:$|\/))|(?:(?:public|private|protected)(?:\s\w+)?|(?!(?:try|else|except|finally|ensure)\b)[a-z_]\w*)\s*:\s*$)/;
const CLOSING = /^\s*(?:[)}\];,]*|end)\s*$/;
/** Parts before a declaration with brackets: `pub(crate)`, `[HttpGet("x")]`, `template <typename T>`. */
const IN_FRONT =
  /^\s*(?:(?:#?\[[^\]]*\]|pub\([^)]*\)|template\s*<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>|(?:__attribute__|__declspec|alignas|noexcept)\s*\([^()]*(?:\([^()]*\)[^()]*)*\))\s*)+/;
/** There may be several keywords in a row: `const fn`, `enum class`. */
const NAME =
  /(?:\b(?:(?:async|unsafe|extern(?:\s+"[^"]*")?)\s+)*(?:(?:class|interface|type|enum|struct|trait|impl|function\*?|func|fun|fn|def|defp|defmacrop?|defmodule|defimpl|defprotocol|record|object|protocol|actor|extension|mod|module|namespace|const|let|var)\s+)+(?:\([^)]*\)\s*|[A-Z][A-Z0-9]*_[A-Z0-9_]*\s+(?=[\p{L}_]))?(?!operator\b)([\p{L}\p{N}_$.]+(?:(?:::|-)[\p{L}\p{N}_$.]+)*))|((?:[\p{L}_][\p{L}\p{N}_]*(?:<[^()<>]*>)?::)*(?:operator\s*(?:\(\)|[^\s\p{L}\p{N}(]{1,3}|(?<=\s)[\p{L}_][\p{L}\p{N}_:]*)|[\p{L}_$~][\p{L}\p{N}_$]*))[?!]?\s*(?:<(?:[^()<>]|<[^()<>]*>)*>)?\s*\(/u;
/** A function of C whose type begins with a keyword: `const char *name(`, `struct row *find(`. */
const TYPED =
  /^\s*(?:\w+\s+)*(?:const|struct|enum|union)\s+(?!fn\b|class\b)[\w:<>]+[\s*&]+(?:[\w:<>]+[\s*&]+)*(?:\w+::)*(\w+)\s*\(/;

/** A test of C and C++, which is named by what a macro is given: `TEST_F(StoreTest, Opens) {`. */
const BY_MACRO = /^\s*(?=[A-Z0-9_]*TEST)[A-Z0-9_]+\s*\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)/;

const MAX_TYPED = 300;
/** A name is looked for no further than this: it would take quadratic time in a long row of letters. */
const MAX_NAMED = 1000;

interface Declaration {
  line: number;
  indent: number;
  /** The first line after it. */
  end: number;
  isContainer: boolean;
  /** Its name, after those in front of it: of `Store::open` both. */
  names: readonly string[];
}

function typedName(declaration: string): string | undefined {
  return TYPED.exec(declaration.slice(0, MAX_TYPED))?.[1];
}

/**
 * Returns the name of what a line declares. Of C++'s `Store<T>::open`, the parts are names; of Ruby's `self.open`, the last.
 */
function namesIn(declaration: string): string[] {
  const [, first, second] = BY_MACRO.exec(declaration) ?? [];
  if (first !== undefined) return second === undefined ? [first] : [first, second];
  const [, named, called] = NAME.exec(declaration) ?? [];
  const name = typedName(declaration) ?? named;
  if (name !== undefined) return [name.replace(/^self\./, "")];
  return called?.replace(/<[^<>]*>(?=::)/g, "").split("::") ?? [];
}

/** Cuts all lines of a source file into pieces, in order. */
export function codePieces(lines: readonly string[]): Piece[] {
  const indents = lines.map((line) => (OUTDENTED.test(line) ? -1 : line.search(/\S/)));
  return piecesBetween(0, lines.length, []);

  function piecesBetween(from: number, to: number, names: readonly string[]): Piece[] {
    const pieces: Piece[] = [];
    let at = from;
    for (const declaration of declarationsIn(from, to)) {
      const start = leadOf(declaration.line, at);
      // One by one: a hundred thousand are too many for the arguments of one call.
      for (const piece of cut(at, start, names)) pieces.push(piece);
      for (const piece of piecesOf(start, declaration, names)) pieces.push(piece);
      at = declaration.end;
    }
    const last = pieces.at(-1);
    if (!last || !lines.slice(at, to).every((line) => CLOSING.test(line)))
      return [...pieces, ...cut(at, to, names)];
    // Closing brackets say nothing by themselves, so they belong to the last piece.
    return pieces.with(-1, { ...last, to });
  }

  function piecesOf(
    start: number,
    { line, end, isContainer, ...own }: Declaration,
    outer: readonly string[],
  ): Piece[] {
    const names = [...outer, ...own.names];
    if (!isContainer) return cut(start, end, names);
    const [first] = declarationsIn(line + 1, end);
    if (!first) return cut(start, end, names);
    const body = leadOf(first.line, line + 1);
    return [...cut(start, body, names), ...piecesBetween(body, end, names)];
  }

  /** Returns the declarations that are not nested in another. */
  function declarationsIn(from: number, to: number): Declaration[] {
    const found: Declaration[] = [];
    for (let line = from; line < to; line++) {
      const text = lines[line] as string;
      const indent = indents[line] as number;
      if (indent < 0 || isImport(text) || FILE_SCOPE.test(text)) continue;
      const bare = text.slice(0, MAX_NAMED).replace(IN_FRONT, "");
      if (!isSignature(text) && !isSignature(bare) && !isHead(lines, line)) continue;
      const end = endOf(line, indent, to);
      const isContainer = CONTAINER.test(text) && typedName(bare) === undefined;
      found.push({ line, indent, end, isContainer, names: namesIn(bare) });
      line = end - 1;
    }
    return found;
  }

  /** Returns where a declaration ends: after the deeper lines, those that close it, and the empty lines that follow. */
  function endOf(line: number, indent: number, to: number): number {
    let end = line + 1;
    while (end < to) {
      const here = indents[end] as number;
      if (here >= 0 && here <= indent && !(here === indent && CONTINUES.test(lines[end] as string))) break;
      end++;
    }
    return end;
  }

  /** Returns the first of the comments and decorators right above a declaration. */
  function leadOf(line: number, from: number): number {
    let start = line;
    while (start > from && indents[start - 1] === indents[line] && LEADING.test(lines[start - 1] as string))
      start--;
    return start;
  }

  function cut(from: number, to: number, names: readonly string[]): Piece[] {
    const pieces: Piece[] = [];
    let start = from;
    while (to - start > MAX_LINES) {
      let end = start + MAX_LINES;
      while (end > start + MAX_LINES / 2 && indents[end - 1] !== -1) end--;
      if (indents[end - 1] !== -1) end = start + MAX_LINES;
      pieces.push({ from: start, to: end, names });
      start = end;
    }
    if (to > start) pieces.push({ from: start, to, names });
    return pieces;
  }
}
