import { extensionOf, type Language } from "../language/language.ts";
import { BLADE_PAGE, ERB_PAGE, type Islands, PHP_PAGE, SCRIPTS } from "./islands.ts";

/** The interpolation syntax of a string. */
export type Holes =
  | "none"
  /** `${…}` */
  | "dollar-brace"
  /** `{…}`, where `{{` is a brace. */
  | "brace"
  /** `{name}`, `{name:…}`; a hole without a name takes its value from the arguments. */
  | "brace-name"
  /** `#{…}` */
  | "hash-brace"
  /** `$name`, `{$…}`, `${…}` */
  | "php"
  /** `$name`, `${…}`, `$(…)` */
  | "dollar"
  | "shell";

export interface StringForm {
  open: string;
  close: string;
  escape: "backslash" | "doubled" | "none";
  multiline: boolean;
  holes: Holes;
  /** Maximum length of an escape in a character literal. A longer content is not a literal (a lifetime of Rust). */
  longest?: number;
}

/** The lexical syntax of a language. */
export interface Lexis {
  lineComments: readonly string[];
  /** Whether a line comment begins only at the start of a line or behind whitespace. */
  commentsStandApart: boolean;
  blockComments: readonly (readonly [open: string, close: string])[];
  /** Forms with longer openings come first. */
  strings: readonly StringForm[];
  /** Words directly before a quote that change what follows, such as Python's `f`. */
  prefixes: ReadonlyMap<string, Partial<StringForm>>;
  /** Characters that may begin a word, besides letters and `_`. */
  wordStart: string;
  regularExpressions: boolean;
  /** Whether the end of a line ends a statement, so that a slash at the start of one divides nothing. */
  linesEndStatements?: boolean;
  heredoc?: RegExp;
  /** Names of macros whose strings are format strings with holes. */
  formatting?: RegExp;
  /** Delimiters of code within markup. */
  islands?: Islands;
  /** The string concatenation operator, if it is not `+`. It is read as `+`, not as a member access. */
  concatenation?: string;
}

const form = (open: string, more: Partial<StringForm> = {}): StringForm => ({
  open,
  close: open,
  escape: "backslash",
  multiline: false,
  holes: "none",
  ...more,
});

const C_LIKE: Lexis = {
  lineComments: ["//"],
  commentsStandApart: false,
  blockComments: [["/*", "*/"]],
  strings: [form('"'), form("'")],
  prefixes: new Map(),
  wordStart: "",
  regularExpressions: false,
};

const RAW = { escape: "none" } as const;
const FORMATTED = { holes: "brace" } as const;
const PYTHON_PREFIXES: Lexis["prefixes"] = new Map<string, Partial<StringForm>>([
  ["r", RAW],
  ["b", {}],
  ["u", {}],
  ["f", FORMATTED],
  ["t", FORMATTED],
  ["br", RAW],
  ["rb", RAW],
  ["fr", { ...RAW, ...FORMATTED }],
  ["rf", { ...RAW, ...FORMATTED }],
]);

const JAVASCRIPT: Lexis = {
  ...C_LIKE,
  strings: [form("`", { multiline: true, holes: "dollar-brace" }), form('"'), form("'")],
  wordStart: "$#",
  regularExpressions: true,
};

const HASH: Lexis = { ...C_LIKE, lineComments: ["#"], blockComments: [] };
const TRIPLE = { multiline: true } as const;
const C: Lexis = { ...C_LIKE, prefixes: new Map(["L", "u8", "u", "U"].map((prefix) => [prefix, {}])) };

const LEXES: Record<Language, Lexis> = {
  javascript: JAVASCRIPT,
  python: {
    ...HASH,
    strings: [form('"""', TRIPLE), form("'''", TRIPLE), form('"'), form("'")],
    prefixes: PYTHON_PREFIXES,
  },
  go: { ...C_LIKE, strings: [form("`", { ...RAW, multiline: true }), form('"'), form("'")] },
  java: { ...C_LIKE, strings: [form('"""', TRIPLE), form('"'), form("'")], wordStart: "$" },
  ruby: {
    ...HASH,
    blockComments: [["\n=begin", "\n=end"]],
    strings: [
      form('"', { multiline: true, holes: "hash-brace" }),
      form("'", TRIPLE),
      form("`", { holes: "hash-brace" }),
      form("%x(", { close: ")", holes: "hash-brace" }),
      form("%x[", { close: "]", holes: "hash-brace" }),
      form("%x{", { close: "}", holes: "hash-brace" }),
      ...["w", "i", "q"].flatMap((kind) =>
        ["[]", "()", "{}"].map((pair) =>
          form(`%${kind}${pair[0]}`, { close: pair[1] as string, multiline: true }),
        ),
      ),
      ...["W", "I", "Q"].flatMap((kind) =>
        ["[]", "()", "{}"].map((pair) =>
          form(`%${kind}${pair[0]}`, { close: pair[1] as string, multiline: true, holes: "hash-brace" }),
        ),
      ),
    ],
    wordStart: "@$",
    regularExpressions: true,
    linesEndStatements: true,
    heredoc: /^<<[~-]?(['"]?)([A-Z_][A-Z0-9_]{1,30})\1/,
  },
  php: {
    ...C_LIKE,
    lineComments: ["//", "#"],
    strings: [form('"', { multiline: true, holes: "php" }), form("'", TRIPLE), form("`", { holes: "php" })],
    wordStart: "$",
    concatenation: ".",
    islands: PHP_PAGE,
    heredoc: /^<<<[ \t]?(['"]?)([A-Za-z_][A-Za-z0-9_]{0,30})\1/,
  },
  c: C,
  cpp: { ...C, strings: [form('R"(', { close: ')"', ...RAW, multiline: true }), ...C.strings] },
  csharp: {
    ...C_LIKE,
    strings: [
      form('$@"', { close: '"', escape: "doubled", multiline: true, holes: "brace" }),
      form('@$"', { close: '"', escape: "doubled", multiline: true, holes: "brace" }),
      form('$"""', { close: '"""', multiline: true, holes: "brace" }),
      form('"""', TRIPLE),
      form('@"', { close: '"', escape: "doubled", multiline: true }),
      form('$"', { close: '"', holes: "brace" }),
      form('"'),
      form("'"),
    ],
  },
  rust: {
    ...C_LIKE,
    strings: [
      form('r#"', { close: '"#', ...RAW, multiline: true }),
      form('"', TRIPLE),
      form("'", { longest: 10 }),
    ],
    prefixes: new Map<string, Partial<StringForm>>([
      ["b", {}],
      ["r", RAW],
      ["br", RAW],
    ]),
    formatting:
      /^(?:format(?:_args)?|e?print(?:ln)?|write(?:ln)?|panic|bail|anyhow|ensure|assert(?:_eq|_ne)?|trace|debug|info|warn|error)$/,
  },
  shell: {
    ...HASH,
    commentsStandApart: true,
    strings: [form('"', { multiline: true, holes: "shell" }), form("'", { ...RAW, multiline: true })],
    wordStart: "$",
    heredoc: /^<<-?[ \t]?(['"]?)([A-Za-z_][A-Za-z0-9_]{0,30})\1/,
  },
  yaml: {
    ...HASH,
    commentsStandApart: true,
    strings: [form('"'), form("'", { escape: "doubled" })],
    wordStart: "$",
  },
  dockerfile: {
    ...HASH,
    commentsStandApart: true,
    strings: [form('"', { holes: "shell" }), form("'", RAW)],
    wordStart: "$",
  },
  markup: {
    ...C_LIKE,
    lineComments: [],
    blockComments: [
      ["<!--", "-->"],
      ["/*", "*/"],
    ],
    wordStart: "$",
  },
  other: { ...C_LIKE, lineComments: ["//", "#", "--"], wordStart: "$@" },
  text: { ...C_LIKE, lineComments: [], blockComments: [] },
};

/** Kotlin, Scala and Groovy: Java's syntax plus interpolation in strings. */
const KOTLIN: Lexis = {
  ...LEXES.java,
  strings: [form('"""', { multiline: true, holes: "dollar" }), form('"', { holes: "dollar" }), form("'")],
};
const KOTLIN_LIKE = new Set(["kt", "kts", "scala", "groovy", "gradle"]);

const ERB: Lexis = { ...LEXES.ruby, islands: ERB_PAGE };
const BLADE: Lexis = { ...LEXES.php, islands: BLADE_PAGE };

/** The scripts in markup. */
export const SCRIPTED: Lexis & { islands: Islands } = { ...JAVASCRIPT, islands: SCRIPTS };

export function lexisOf(path: string, language: Language): Lexis {
  const extension = extensionOf(path);
  if (extension === "erb") return ERB;
  if (path.endsWith(".blade.php")) return BLADE;
  return KOTLIN_LIKE.has(extension) ? KOTLIN : LEXES[language];
}
