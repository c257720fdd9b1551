import type { Layout } from "../layout.ts";

/** What stands before the body or the value of something that is declared. */
export interface Head {
  /** Undefined where nothing is declared. */
  kind?: "function" | "getter" | "variable" | "alias";
  name: string;
  /** What stands before the name and a dot: `Basket` of the constructor `Basket.empty`. */
  holder?: string;
  end: number;
}

const TOKEN = /\s*(?:([A-Za-z_$][\w$]*)|=>|[\s\S])/y;
const OPERATOR = /\s*(?:==|<=|>=|<<|>>>?|\[\]=?|~\/?|[<>+\-*/%&|^])(?=\s*\()/y;
/** What may stand before a type. */
const MODIFIER = /^(?:abstract|augment|const|covariant|external|final|late|static|var)$/;

/**
 * Reads up to the parameters, the body or the value of a function, getter, variable or alias of a type. The parameters come
 * behind its name, other brackets are those of types: `(int, int) Function(int) make<T>(T of)`.
 */
export function headAt({ code, closing }: Layout, start: number, to: number): Head {
  let name = "";
  let holder: string | undefined;
  /** Words and brackets before the last word. */
  let before = 0;
  let hasType = false;
  let isGetter = false;
  let isAlias = false;
  let angles = 0;
  const headOf = (kind: Head["kind"], end: number): Head => ({
    kind: isAlias && kind !== undefined ? "alias" : kind,
    name,
    ...(holder !== undefined && { holder }),
    end,
  });

  for (let at = start; at < to; ) {
    TOKEN.lastIndex = at;
    const [token = "", word] = TOKEN.exec(code) ?? [];
    at += token.length;
    const last = at - 1;
    const mark = token.trimStart();
    if (mark === "<") angles++;
    else if (mark === ">") angles = Math.max(0, angles - 1);
    else if (mark === "[") at = closing(last) + 1;
    else if (mark === ")" || mark === "]" || mark === "}") return headOf(undefined, last);
    else if (mark === "{" || mark === "=>" || mark === ";") {
      const isVariable = mark === ";" && before > 0;
      return headOf(isGetter ? "getter" : isVariable ? "variable" : undefined, at - mark.length);
    } else if (mark === "(") {
      const isType = angles > 0 || name === "" || name === "Function" || !hasType;
      if (!isType) return headOf("function", closing(last) + 1);
      at = closing(last) + 1;
      if (angles > 0) continue;
      hasType = true;
      before++;
      name = "";
    } else if (angles > 0) continue;
    else if (mark === "=" || mark === ",") return headOf(before > 0 ? "variable" : undefined, at);
    else if (word !== undefined) {
      if (isGetter && /^a?sync$/.test(word)) continue;
      OPERATOR.lastIndex = at;
      const operator = word === "operator" ? OPERATOR.exec(code)?.[0] : undefined;
      const isAfterDot = code[at - word.length - 1] === ".";
      holder = isAfterDot ? name : undefined;
      isGetter ||= name === "get" && !isAfterDot;
      isAlias ||= start + token.length === at && word === "typedef";
      hasType ||= !MODIFIER.test(word);
      if (name !== "") before++;
      name = word;
      if (operator === undefined) continue;
      name = `operator ${operator.trim()}`;
      at += operator.length;
      hasType = true;
    }
  }
  return headOf(undefined, to);
}
