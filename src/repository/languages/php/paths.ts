import { posix } from "node:path";
import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import type { Layout } from "../layout.ts";

const REQUIRE = inAnyScript(/(?<![\w$>:\\])(?:require|include)(?:_once)?(?!\w)\s*/gi);
const DEFINE = inAnyScript(
  /(?<![\w$>:\\])(?:define\s*\(\s*(["'] +["'])\s*,|const\s+([A-Za-z_]\w*)\s*=)\s*/gi,
);
const STRING = /(["']) *\1/y;
const CALL = /(dirname|realpath|plugin_dir_path|trailingslashit)\s*\(\s*|\(\s*/iy;
const CALL_END = /\s*(?:,\s*(\d)\s*)?\)/y;
const CONSTANT = inAnyScript(/\\?([A-Za-z_]\w*)(?![\w\\]|\s*(?:\(|::))/y);
const CONCATENATED = /\s*\.\s*/y;
const ENDED = /\s*(?:[);]|$)/y;
/** In the text: in the code, the tag is blank. */
const CLOSED = /\s*\?>/y;
const MAX_NESTED = 16;
const MAX_PATH = 4096;
/** Stand for the directory of the file itself, and for the file in it. */
export const HERE = "{.}";
const FILE = `${HERE}/\0`;

interface Php {
  text: string;
  /** The text without what its strings and comments say, at the same places. */
  code: string;
}

/**
 * Returns the files that are required by a path: as it is written (`include:shop.php`), from the file's own directory
 * (`./shop.php`), or by what constants stand for (`{ROOT}/shop.php`).
 */
export function requiredIn(php: Php): Import[] {
  return [...php.code.matchAll(REQUIRE)].flatMap(({ index, 0: whole }) => {
    const path = wholePathAt(php, index + whole.length);
    if (path === undefined) return [];
    if (!path.includes("{")) return [{ module: `include:${path}` }];
    const inside = path.slice(HERE.length);
    const isHere = path.startsWith(HERE) && !inside.includes("{");
    return [{ module: isHere ? `./${posix.normalize(`./${inside}`)}` : path }];
  });
}

/** Returns the constants that a file defines as a path or a part of one, each with it: `ROOT {.}/..`. */
export function pathConstantsIn(
  text: string,
  { code, depthAt }: Layout,
  depthOf: (position: number) => number,
): string[] {
  return [...code.matchAll(DEFINE)].flatMap(({ index, 0: whole, 1: quoted, 2: named }) => {
    // Within a class, a constant is the class's.
    if (named !== undefined && depthAt(index) > depthOf(index)) return [];
    const at = index + whole.indexOf(quoted ?? "") + 1;
    const name = named ?? text.slice(at, at + (quoted ?? "").length - 2);
    const path = wholePathAt({ text, code }, index + whole.length);
    return path === undefined || /[\s{}]/.test(name) ? [] : [`${name} ${path}`];
  });
}

/** Returns the path that an expression gives, if that is all of it. */
function wholePathAt(php: Php, position: number): string | undefined {
  const found = pathAt(php, position, 0);
  if (!found || found.path.includes("\0") || found.path.length > MAX_PATH) return undefined;
  ENDED.lastIndex = found.end;
  CLOSED.lastIndex = found.end;
  return ENDED.test(php.code) || CLOSED.test(php.text) ? found.path : undefined;
}

interface Found {
  path: string;
  end: number;
}

/** Reads parts of a path, joined by dots. */
function pathAt(php: Php, position: number, depth: number): Found | undefined {
  let path = "";
  for (let at = position; ; ) {
    const part = partAt(php, at, depth);
    if (!part) return undefined;
    path += part.path;
    CONCATENATED.lastIndex = part.end;
    if (!CONCATENATED.test(php.code)) return { path, end: part.end };
    at = CONCATENATED.lastIndex;
  }
}

function partAt(php: Php, position: number, depth: number): Found | undefined {
  const { text, code } = php;
  STRING.lastIndex = position;
  const quoted = STRING.exec(code)?.[0];
  if (quoted !== undefined) {
    const path = text.slice(position + 1, position + quoted.length - 1);
    return /[{}$\\\0]/.test(path) ? undefined : { path, end: position + quoted.length };
  }
  CALL.lastIndex = position;
  const call = CALL.exec(code);
  if (call) {
    const inner = depth < MAX_NESTED ? pathAt(php, CALL.lastIndex, depth + 1) : undefined;
    CALL_END.lastIndex = inner?.end ?? code.length;
    const end = CALL_END.exec(code);
    if (!inner || !end) return undefined;
    return { path: called(call[1]?.toLowerCase(), inner.path, Number(end[1] ?? 1)), end: CALL_END.lastIndex };
  }
  CONSTANT.lastIndex = position;
  const name = CONSTANT.exec(code)?.[1];
  return name === undefined ? undefined : { path: constant(name), end: CONSTANT.lastIndex };
}

function called(name: string | undefined, path: string, levels: number): string {
  const above = path === FILE ? HERE + "/..".repeat(levels - 1) : path + "/..".repeat(levels);
  if (name === "dirname") return above;
  if (name === "plugin_dir_path") return `${above}/`;
  return name === "trailingslashit" ? `${path}/` : path;
}

function constant(name: string): string {
  switch (name) {
    case "__DIR__":
      return HERE;
    case "__FILE__":
      return FILE;
    case "DIRECTORY_SEPARATOR":
      return "/";
    default:
      return `{${name}}`;
  }
}
