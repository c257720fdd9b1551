/** `from ..a import b, c` is two levels up, module `a`, names `b` and `c`. */
export interface PythonImport {
  /** Dots in front; 0 where the module is named from the top. */
  level: number;
  /** Dotted; empty in `from . import b`. */
  module: string;
  names: string[];
}

const STRING_OR_COMMENT =
  /"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|#[^\n]*/g;
const FROM =
  /(?:^|[;:])[ \t]*from[ \t]*(\.*)[ \t]*([\p{L}\p{N}_.]*)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n;]+))/gmu;
const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+([^\n;]+)/gmu;

/** The imports of a file, wherever they stand; not what `importlib` is told. */
export function pythonImports(text: string): PythonImport[] {
  const code = text
    .replace(STRING_OR_COMMENT, (match) => (match.startsWith("#") ? "" : '""'))
    .replace(/\\\r?\n/g, " ");
  const from = [...code.matchAll(FROM)].map(([, dots = "", module = "", inBrackets, plain = ""]) => ({
    level: dots.length,
    module,
    names: namesIn(inBrackets ?? plain),
  }));
  const plain = [...code.matchAll(IMPORT)].flatMap(([, list = ""]) =>
    namesIn(list).map((module) => ({ level: 0, module, names: [] })),
  );
  return [...from, ...plain].filter(({ level, module }) => level > 0 || module !== "");
}

/** `a.b as c, d` names `a.b` and `d`. */
function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim().split(/\s/, 1)[0] as string)
    .filter((name) => /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name));
}
