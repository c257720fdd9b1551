import type { Language } from "../language/language.ts";
import { namesIn } from "./functions/parameters.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";
import { statementEnd } from "./statements.ts";

type Reader = (fragment: LexedFragment, at: number, imports: Map<string, string>) => void;

const READERS: Partial<Record<Language, Readonly<Record<string, Reader>>>> = {
  javascript: { require: required, import: imported, promisify: promisified },
  python: { from: fromImported, import: pythonImported },
  go: { import: goImported },
};

/** Returns imported names by local name: `cp` → `child_process`, `exec` → `child_process.exec`. */
export function importsOf(fragment: LexedFragment): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const [word, read] of Object.entries(READERS[fragment.language] ?? {})) {
    for (const at of fragment.words.get(word) ?? []) read(fragment, at, imports);
  }
  return imports;
}

const moduleName = (text: string) => text.replace(/^node:/, "");

/** `const x = require("m")`, `const { a: b } = require("m")`, `x = require("m").y`. */
function required(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  const module = fragment.tokens[at + 2];
  if (fragment.text(at + 1) !== "(" || module?.kind !== "string" || fragment.text(at - 1) !== "=") return;
  const member = fragment.text(at + 4) === "." ? `.${fragment.text(at + 5)}` : "";
  bind(fragment, at - 2, `${moduleName(module.text)}${member}`, imports);
}

/** `import a, { b as c } from "m"`, `import * as a from "m"`, `import a = require("m")`, `const { a } = await import("m")`. */
function imported(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  const { tokens } = fragment;
  if (fragment.text(at + 1) === "(") {
    const isGiven = fragment.text(at - 1) === "await" && fragment.text(at - 2) === "=";
    if (isGiven && fragment.isString(at + 2))
      bind(fragment, at - 3, moduleName(fragment.text(at + 2)), imports);
    return;
  }
  for (let index = at + 1; index < at + 200; index++) {
    const token = tokens[index];
    if (!token || token.text === ";" || token.text === "=") return;
    if (token.text !== "from" || !fragment.isString(index + 1)) continue;
    const module = moduleName(fragment.text(index + 1));
    for (let name = at + 1; name < index; name++) {
      const here = tokens[name];
      if (here?.text === "{" && here.partner > 0) {
        for (let inner = name + 1; inner < here.partner; inner++) {
          if (!fragment.isWord(inner) || fragment.text(inner) === "type") continue;
          const renamed = fragment.text(inner + 1) === "as" ? inner + 2 : inner;
          imports.set(fragment.text(renamed), `${module}.${fragment.text(inner)}`);
          inner = renamed;
        }
        name = here.partner;
      } else if (here?.kind === "word" && !/^(?:as|type|default)$/.test(here.text))
        imports.set(here.text, module);
    }
    return;
  }
}

function bind(fragment: LexedFragment, at: number, module: string, imports: Map<string, string>): void {
  const token = fragment.tokens[at];
  if (token?.kind === "word") imports.set(token.text, module);
  else if (token?.text === "}" && token.partner >= 0) {
    for (const { name, at: index } of namesIn(fragment, { from: token.partner + 1, to: at })) {
      const member = fragment.text(index - 1) === ":" ? fragment.text(index - 2) : name;
      imports.set(name, `${module}.${member}`);
    }
  }
}

/** `const a = promisify(exec)`, `= util.promisify(cp.exec)`, `= promisify(require("m").b)`: `a` is the function. */
function promisified(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  const open = fragment.tokens[at + 1];
  const equals = fragment.text(at - 1) === "." ? at - 3 : at - 1;
  if (open?.text !== "(" || open.partner < 0 || fragment.text(equals) !== "=") return;
  const isRequired = fragment.text(at + 2) === "require";
  const module = isRequired ? moduleName(fragment.text(at + 4)) : imports.get(fragment.text(at + 2));
  const rest = fragment.tokens.slice(at + (isRequired ? 6 : 3), open.partner);
  if (module && rest.every(({ text, kind }) => text === "." || kind === "word"))
    bind(fragment, equals - 1, `${module}${rest.map(({ text }) => text).join("")}`, imports);
}

/** `from m import a as b, c` */
function fromImported(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  const clause = fromClause(fragment, at);
  if (!clause) return;
  const { module } = clause;
  const end = statementEnd(fragment, at);
  for (let index = clause.from; index < end; index++) {
    if (!fragment.isWord(index)) continue;
    const renamed = fragment.text(index + 1) === "as" ? index + 2 : index;
    // `from . import a` means `.a`.
    const holder = module.endsWith(".") ? module : `${module}.`;
    imports.set(fragment.text(renamed), holder + fragment.text(index));
    index = renamed;
  }
}

/** Returns the module of `from m import …`, and the index of what is imported. */
function fromClause(fragment: LexedFragment, at: number): { module: string; from: number } | undefined {
  let index = at + 1;
  let module = "";
  while (index < at + 20 && fragment.text(index) !== "import") module += fragment.text(index++);
  return fragment.text(index) === "import" ? { module, from: index + 1 } : undefined;
}

/** The modules of which a file of Python imports all names: `from m import *`. */
export const starsOf = oncePerFragment((fragment: LexedFragment): readonly string[] => {
  if (fragment.language !== "python") return [];
  const clauses = (fragment.words.get("from") ?? []).flatMap((at) => fromClause(fragment, at) ?? []);
  return clauses.filter(({ from }) => fragment.text(from) === "*").map(({ module }) => module);
});

/** `import a.b as c, d` */
function pythonImported(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  if (fragment.lineOf(at - 1) === fragment.lineOf(at) && fragment.text(at - 1) !== ";") return;
  const end = statementEnd(fragment, at);
  let module = "";
  for (let index = at + 1; index <= end; index++) {
    const text = fragment.text(index);
    if (text === "as" && index < end) {
      imports.set(fragment.text(index + 1), module);
      module = "";
      index++;
    } else if (text === "," || index === end) {
      // `import a.b` binds the first part.
      const [first] = module.split(".", 1) as [string];
      if (first) imports.set(first, first);
      module = "";
    } else module += text;
  }
}

/** `import "crypto/md5"`, `import m "crypto/md5"`, and many in brackets: the last part is the name. */
function goImported(fragment: LexedFragment, at: number, imports: Map<string, string>): void {
  const open = fragment.tokens[at + 1];
  const end = open?.text === "(" ? open.partner : at + 3;
  for (let index = at + 1; index < end; index++) {
    const token = fragment.tokens[index];
    if (token?.kind !== "string") continue;
    const before = fragment.tokens[index - 1];
    const renamed = before?.kind === "word" && before.line === token.line && before.text !== "import";
    const last = token.text.slice(token.text.lastIndexOf("/") + 1);
    imports.set(renamed ? before.text : last, token.text.replaceAll("/", "."));
  }
}

/** Maximum parts of a dotted name to walk back over. */
const MAX_PARTS = 12;

/** Whether a Java name is part of an import, `import javax.crypto.NullCipher;`, and not a use of it. */
export function isImport(fragment: LexedFragment, index: number): boolean {
  if (fragment.language !== "java") return false;
  let at = index;
  for (let parts = 0; parts < MAX_PARTS && fragment.text(at - 1) === "."; parts++) at -= 2;
  return /^(?:import|static)$/.test(fragment.text(at - 1));
}
