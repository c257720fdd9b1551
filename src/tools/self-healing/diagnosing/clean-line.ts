export type Level = "error" | "warning" | "info" | "debug";

/** A line as its tool wrote it: without colours and without the prefix of the build service. */
export interface CleanLine {
  text: string;
  /** The level that a prefix states, in whatever form. */
  level?: Level;
}

const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u001b\u009b](?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)|_[^\u0007]{0,200}\u0007|[@-Z\\-~])|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f\ufeff]/g;

const DATE_AND_TIME =
  /^\ufeff?\[?(?:task )?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE][+ ]?)?[ \t]?/;
/** Of log4js, in which the level follows: `30 11 2026 09:22:01.951:ERROR [plugin]: …`. */
const LOG4JS = /^\d\d \d\d \d{4} \d\d:\d\d:\d\d\.\d{3}:(?=[A-Z]+ \[)/;
const TIME = /^\[?\d{1,2}:\d\d:\d\d(?:[.,:]\d{1,9})?(?: [AP]M)?\]?(?:[ \t]|$)/;

/** Names of scripts, before which the runners of workspaces put the package. */
const SCRIPT =
  "(?:build|test|lint|typecheck|type-check|check|dev|start|compile|prepare|postinstall)(?::[\\w-]{1,30})?";

/** Prefixes that build services put before each line: time, stream, container, package of a workspace. */
const PREFIXES = [
  DATE_AND_TIME,
  LOG4JS,
  TIME,
  /^#\d{1,4} (?:\d+\.\d+(?: |$))?(?=\s*\S|$)/,
  // BuildKit repeats the end of a failed step without the step's number
  /^\d{1,6}\.\d{3} (?=.*[A-Za-z])/,
  /^[\w.-]{1,60}[-_]\d{1,4}\s{1,20}\| ?|^[a-z][\w.-]{0,60}\s{1,20}\| (?=\S)/,
  new RegExp(`^(?:@[\\w.-]+\\/)?[\\w.-]{1,60}:${SCRIPT}: `),
  // of pnpm: packages/web lint: …
  new RegExp(`^(?:\\.|[\\w.@-]+(?:\\/[\\w.@-]+)+) ${SCRIPT}: ?`),
  // older Gradle leaves the line of its task open
  /^:[\w:-]{1,80}(?=\/\S{1,300}\.\w{1,8}:\d+: )/,
  /^\[ant:\w{1,30}\] /,
  // the exceptions in one of Python's groups
  /^\s{1,40}\| (?=Traceback \(| {2}File "|(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Group|Interrupt)(?:: |$))/,
  /^\s{2,12}\[(?:javac|java|junit|testng|exec|groovyc|scalac|kotlinc)\] ?/,
  // of any other task of Ant, which aligns them to its twelfth column
  /^(?=[ \w[.-]{10}\] ) {1,9}\[(?!error|warn|info|debug|fatal)[a-z]\w*\] /,
  // of Nest
  /^\[Nest\] \d+\s+- [\d/]{8,10}, \d{1,2}:\d\d:\d\d [AP]M\s+/,
  // of the tests of programs that run side by side: [ acme/shop ] …
  /^\[ (?=[\w.-]{1,60}\/)[\w./@-]{1,120} \] (?=\S|\s)/,
  // a compiler's progress, which a terminal writes over: Semantic Analysis [12/340] …
  /^[A-Z][A-Za-z ]{2,30} \[\d{1,6}\/\d{1,6}\] (?=\S{1,300}:\d+:\d+: )/,
  // what quotes others: xcpretty, Unreal's automation, a builder of Nix, a report of opam
  /^(?:❌ {2}(?=\S)|UATHelper: [\w ]{1,30} \([^)]{1,40}\): | {7}> (?=\S)|# (?=\[ERROR\] |Error: |File "))/,
  // of programs that run side by side: [web] …
  /^\[(?!error|fatal|severe|critical|err\b|warn|notice|info|debug|trace|command|group|section|endgroup|emerg|alert|crit|vite|main|plugin)[a-z][\w-]{0,20}\] (?=\S|\s)/,
  // the program's own, behind the service's
  DATE_AND_TIME,
  TIME,
];

const LEVELS: Record<string, Level> = {
  error: "error",
  fatal: "error",
  severe: "error",
  critical: "error",
  err: "error",
  warning: "warning",
  warn: "warning",
  notice: "info",
  info: "info",
  debug: "debug",
  trace: "debug",
  command: "debug",
  group: "debug",
  section: "debug",
  endgroup: "debug",
};

const BRACKETED =
  /^(?:##|::)?\[(error|fatal|severe|critical|warning|warn|notice|info|debug|trace|command|group|section|endgroup)\]:? ?/i;
const ANNOTATION = /^::(error|warning|notice|debug|group|endgroup)(?: [^:]{0,300})?::/;
/** `10:20:30 ERROR - message`, as Python's and Mozilla's harnesses log. */
const DASHED = /^\s{0,8}(INFO|DEBUG|WARNING|ERROR|CRITICAL|FATAL) {1,2}- +/;
/** Marks in raw lines that are errors by their prefix. */
export const ERROR_MARKS = /\[(?:error|fatal|severe|critical)\]|::error|(?:ERROR|CRITICAL|FATAL) +- /i;
/** Levels in the forms of logging libraries and package managers, and warnings. Those of race detectors are errors. */
const LOGGED =
  /^(?!WARNING: (?:DATA RACE|ThreadSanitizer))(?:INFO|DEBUG|TRACE|NOTICE|WARN(?:ING)?)(?::[\w.]+:|\s{1,8}[[\w(]|: )|^(?:npm|yarn|pnpm) (?:warn|WARN|notice|info|verb|http)\b|^(?:warning|WARNING|Warning|warn)\b(?!: (?:DATA RACE|ThreadSanitizer))/;

/** GitHub's command line puts job and step before each line, between tabs. */
const JOB_AND_STEP = /^[^\t]{1,100}\t[^\t]{1,100}\t(?=\d{4}-\d\d-\d\dT)/;

/** The copy of its settings that Vite loads and removes: `node_modules/.vite-temp/vite.config.ts.timestamp-1-a.mjs`. */
const VITE_COPY =
  /(?:node_modules\/\.vite-temp\/)?([\w.-]{1,80}\.[cm]?[jt]s)\.timestamp-\d{1,20}-\w{1,20}\.mjs/g;

export function cleanLine(raw: string): CleanLine {
  let text = raw.search(ESCAPES) < 0 ? raw : raw.replace(ESCAPES, "");
  if (text.includes(".timestamp-")) text = text.replace(VITE_COPY, "$1");
  if (text.includes("\t")) text = text.replace(JOB_AND_STEP, "");
  for (const prefix of PREFIXES) {
    const match = prefix.exec(text);
    if (match) text = text.slice(match[0].length);
  }
  const level = BRACKETED.exec(text) ?? ANNOTATION.exec(text) ?? DASHED.exec(text);
  if (level)
    return { text: text.slice(level[0].length), level: LEVELS[(level[1] as string).toLowerCase()] as Level };
  const logged = LOGGED.exec(text);
  if (!logged) return { text };
  return { text, level: /warn/i.test(logged[0]) ? "warning" : "info" };
}

/** Returns the number of blanks that a line begins with. */
export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
