import type { Category } from "./categories.ts";

const PART =
  "(?:packages?|modules?|librar(?:y|ies)|crates?|gems?|dependenc(?:y|ies)|plugins?|extensions?|components?|presets?|imports?)";
const ABSENT =
  "(?:not found|not (?:be )?(?:found|resolved|installed|located|loaded)|missing|does(?: not|n't) exist|is not (?:installed|available))";
const FIND = "(?:[Cc]annot|[Cc]an't|[Cc]an not|[Cc]ould(?: not|n't)|[Uu]nable to|[Ff]ailed to)";

/** Words for each category of failure in messages that no signature recognises, the most reliable first. */
const BY_WORDS: readonly [Category, RegExp][] = [
  ["lint", /\bunused\b|\bnever used\b|\bis deprecated\b|\bcircular (?:dependenc|import)/i],
  [
    "type_error",
    /\btype mismatch|\bmismatched types?\b|\bincompatible (?:types?|operand)|\bnot (?:assignable|convertible)\b|\bexpected (?:a )?type\b|\bfound type\b|\bhas (?:no|type)\b.{1,60}\b(?:member|but|while)\b|\bcannot (?:convert|cast|unify)\b/i,
  ],
  [
    "version_mismatch",
    /\brequires? .{0,40}(?:version|v?\d+\.\d)|\bversion .{0,60}(?:not supported|unsupported|required|mismatch|too (?:old|new)|or (?:higher|newer|later))|\bincompatible .{0,20}version/i,
  ],
  [
    "dependency_resolution",
    new RegExp(
      `\\b${PART}\\b.{0,80}\\b${ABSENT}|\\b${FIND} (?:find|resolve|load|locate|import) (?:the |a |any )?${PART}\\b|\\bno (?:such )?${PART} (?:named|called|found)|\\bno (?:such )?${PART} '|\\binstall (?:the )?["'\`]?[@\\w/.-]+["'\`]? package\\b|\\bplease install (?:@[\\w.-]+/)?[a-z][\\w.-]+(?! v?\\d)`,
      "i",
    ),
  ],
  [
    "missing_file",
    new RegExp(
      `\\bno (?:[\\w.]* ){0,4}(?:[\\w.]*files?|directory)\\b.{0,20}\\bfound\\b|\\b${FIND} find (?:the )?file\\b|\\b(?:file|directory|folder|path|source)\\b.{0,80}\\b${ABSENT}|\\b${FIND} (?:find|open|read|load|access|locate) .{0,120}\\.\\w`,
      "i",
    ),
  ],
  [
    "compile_error",
    /\b(?:syntax|parse|parsing|lexical|compil(?:e|ation)) ?errors?\b|\bparser failed\b|\berror during linking\b|\billegal token\b|\bmissing (?:end|closing)\b|\bunexpected (?:token|end|eof|symbol|character|identifier|input|keyword|string|"|'|`|\S{1,3}$|\w+,? expect)|\b(?:undeclared|undefined|unbound|unresolved|unknown) (?:variable|function|symbol|reference|identifier|name|macro|class|method|value|type|procedure|instance|word)|\bnot (?:in scope|declared|defined)\b|\bis (?:undefined|undeclared|unbound)\b|\w' undefined\b|\b(?:unterminated|unclosed|unbalanced|unmatched|mismatched)\b|\bexpect(?:ed|ing)\b(?! (?:\d+|one) ).{1,40}\b(?:but )?(?:got|found|near|before|after|instead)\b|\bis used,? but\b|\bcan't evaluate field\b/i,
  ],
  [
    "configuration",
    /\b(?:unknown|unrecogni[sz]ed|invalid|unsupported|illegal|bad|unexpected|missing|required) (?:configuration|config|option|argument|flag|key|property|directive|setting|parameter|field|value|section|command|attribute|environment|variable)|\b(?:needs?|lacks?) (?:the |an? )?\S{1,60} (?:property|field|key|option|setting|attribute)\b|\bis (?:required|not allowed)\b|\bis not an? (?:valid|registered|known|supported|recogni[sz]ed)\b|\bnot (?:configured|a valid)\b|\binvalid \w+ configuration\b|\b(?:config|configuration|settings?) (?:file )?(?:error|is invalid|not found)|\bmust (?:be|have|contain|match)\b|\w: should be an? \w/i,
  ],
];

/** An exception that ended a program. It says little about the category, since it may be any bug of the program. */
const EXCEPTION =
  /^(?:Uncaught )?(?!\w*(?:Pars|Syntax|Compil)\w*Error)(?:[\w.:]+[.:])?[A-Z]\w*(?:Error|Exception)\b(?! \(|:? \[)/;

/** Returns the category of failure that the words of a message suggest, if nothing else shows it. */
export function categoryByWords(message: string): Category | undefined {
  if (EXCEPTION.test(message)) return undefined;
  const read = message.slice(0, 400);
  return BY_WORDS.find(([, pattern]) => pattern.test(read))?.[0];
}
