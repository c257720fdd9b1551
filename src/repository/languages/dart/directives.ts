/** What a file says of other files of its program. */
export interface Directives {
  /** The files that it imports, exports, has as parts or is a part of, as they are written. */
  uris: readonly string[];
  /** The name of the library that it is: `library shop.cart;` */
  library: string | undefined;
  /** The name of the library that it is a part of: `part of shop.cart;` */
  partOf: string | undefined;
}

/** Before a string, these words are nothing else, wherever they stand. */
const DIRECTIVE =
  /(?<![\w$.])(?:(?:import|export|part(?:\s+of)?)\s*(?=r?["'])|(library|part\s+of)\s+([A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)\s*;)/g;
const STRING = /r?(?:'''([\s\S]*?)'''|"""([\s\S]*?)"""|'([^'\n]*)'|"([^"\n]*)")/y;
/** `if (dart.library.io)`, before the file that is taken then. */
const CONDITION = /\s*if\s*\([^()]{0,300}\)\s*/y;
const SPACE = /\s*/y;

/** Reads the directives of a file. Of a condition, every branch counts. */
export function directivesIn(text: string, code: string): Directives {
  const uris = new Set<string>();
  const names: { library?: string; partOf?: string } = {};
  for (const { index, 0: whole, 1: keyword, 2: name } of code.matchAll(DIRECTIVE)) {
    if (name === undefined) for (const uri of urisAt(text, code, index + whole.length)) uris.add(uri);
    else names[keyword === "library" ? "library" : "partOf"] ??= name.replace(/\s/g, "");
  }
  return { uris: [...uris], library: names.library, partOf: names.partOf };
}

function* urisAt(text: string, code: string, start: number): Generator<string> {
  for (let at = start; ; ) {
    const { uri, end } = stringsAt(text, code, at);
    if (uri === undefined) return;
    yield uri;
    at = after(CONDITION, code, end);
    if (at === end) return;
  }
}

/** Reads one string, or several beside each other, which are one. */
function stringsAt(text: string, code: string, start: number): { uri: string | undefined; end: number } {
  let uri: string | undefined;
  for (let at = start; ; at = after(SPACE, code, STRING.lastIndex)) {
    STRING.lastIndex = at;
    const found = STRING.exec(text);
    if (!found) return { uri, end: at };
    uri = (uri ?? "") + (found.slice(1).find((each) => each !== undefined) ?? "");
  }
}

function after(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(code) ? pattern.lastIndex : at;
}
