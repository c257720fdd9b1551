import type { Advice } from "./advise.ts";

/** Lines below the cause that are searched for a remedy. */
const REACH = 40;
const MAX_LENGTH = 200;

/** A label that introduces a remedy. */
const HINT =
  /(?:^|[\s(])(?:=\s)?(?<hint>(?:help|hint|fix|tip|suggestion|solution|possible solution)s?: (?<said>\S.*))$/i;
/** Sentences that say what to do. */
const SENTENCE =
  /(?<said>\b(?:[Dd]id you (?:mean|forget)\b|[Mm]aybe you (?:meant|forgot)\b|[Tt]ry (?:`|'|"|running|adding|using|to |changing|setting|installing)|[Pp]lease (?:run|use|install|upgrade|add|update|remove|set|specify|make sure)\b|(?<!\b[Dd]o )[Yy]ou (?:need to|should|must|may need|can (?:run|fix|mark|use|install|add|configure))\b|[Cc]onsider \w+ing\b|(?<![Ff]ailed to )[Rr]un (?=[`'"])|[Mm]ake sure\b|^Add ['"`]?@?\w[\w./-]+['"`]? .{0,160}\bto (?:the|your) ['"`\w]|[Ii]f you (?:intended|want|meant|are sure)\b|[Ii]nstead, \w+|[Uu]se (?:an? )?(?=[`'"]|-{1,2}[a-z])|(?<=\()(?:please )?install (?=\S)|[Tt]o (?:fix|resolve|solve)(?: (?:this|it))?\b[^,:]{0,40}, \w).*)/;
/**
 * Lines that are no remedy: they only lead to more information, have nothing to do with the failure, or are
 * cut off by the end of the line.
 */
const NO_REMEDY =
  /the correct access rights|\badd the directory\b|for (?:(?:more|further|additional) (?:information|details|help)|help\b)|--explain|full stack trace|--(?:stacktrace|verbose|debug|info|scan|help)\b|-freference-trace\b|-v to see invocation|\byou are behind a proxy\b|\bdelete the ibdata1\b|RUST_BACKTRACE|\bnpm (?:help|fund|audit|notice)\b|complete log|\[notice\]|new (?:major |minor |patch )?version|to override|update available|issue tracker|bug report|report (?:this|a bug)|open an issue|stack backtrace|warn Unknown|\bforce complete processing\b|\bsee a list of\b|\bvisit the web page\b|\bunhandled errors to make sure\b|\bmay need configuration options\b/i;
/** A remedy that announces its command at the end of the line or on the next one. */
const ANNOUNCED =
  /(?:\b(?:to add(?: it)?|(?:run|try|execute)(?: the following(?: commands?)?)?|(?:by|try) running|(?:with|use|using)(?: the following)?(?: commands?)?)\b[^`'"]{0,80}):\s*(?<command>\S.*)?$/i;
const QUOTED = /[`"'](?<command>(?:[a-z][\w./-]*) [^`"']{2,150})[`"']/g;

/** An offer of similar names, which are on the lines below it. */
const OFFER =
  /\b(?:[Dd]id you mean|[Mm]aybe you meant|^\s*Perhaps you meant)(?: (?:this|one of these|one of)\s?[?:]|\s?[?:])?$|^The most similar commands? (?:is|are)$/;
/** A sentence that continues with an indented command: `To set the upstream branch, use`. */
const RUNS_ON = /\b(?:using|use|with|run)$/;
/** A sentence that was broken where it only begins to say what to do: `or try running`. */
const CUT = /\b(?:running|using|adding|installing|changing|setting|to|the|for|this)$/;
const REPAIRS = /^[Tt]o (?:fix|resolve|solve) (?:this|it)\b.*:$/;
/** An entry of a list. */
const ENTRY = /^\s*[-*•] (?=\S)/;
/** A placeholder in a command, for the user to fill in. */
const BLANK = /<[\w-]+>|\[[\w-]+\]/;

/** Programs that repair a project. Any other command in a log is only shown as text. */
const REPAIR_PROGRAM =
  /^(?:npm|npx|yarn|pnpm|bun|bunx|deno|corepack|nvm|pip3?|python3?|uv|poetry|pipenv|conda|mypy|ruff|black|isort|cargo|rustup|go|gofmt|goimports|golangci-lint|bundle|gem|rails|bin\/rails|rake|composer|php|mix|dotnet|terraform|tofu|helm|kubectl|docker|git|sbt|swift|swiftlint|pod|flutter|dart|mvn|\.\/mvnw|gradle|\.\/gradlew|apt|apt-get|brew|alembic|ansible-galaxy|cabal|stack|rubocop|terragrunt|cdk|pulumi|conan)$/;
const PLAIN = /^[\w@%+=:,./~^<>* -]+$/;

/** Returns the text of a line below the cause, or with 0 the cause itself; `undefined` after the end of its block. */
export type Below = (offset: number) => string | undefined;

/**
 * Returns the remedies that the tool itself prints: at most a command and a sentence. The log is untrusted,
 * so a command is only given if its program repairs projects and it has nothing that a shell would interpret.
 */
export function printedRemedies(below: Below): Advice[] {
  let [command, sentence]: (string | undefined)[] = [];
  for (let offset = 0; offset <= REACH && !(command && sentence); offset++) {
    const text = bare(below(offset));
    if (text === undefined) break;
    if (NO_REMEDY.test(text)) continue;
    const next = nextOf(below, offset);
    const said = saidIn(text, offset, next, below(offset - 1));
    const here = said === undefined ? announced(text, next) : commandIn(said);
    command ??= here ?? (said === undefined ? undefined : announced(text, next));
    sentence ??= said ?? withBlanks(text, next);
  }
  return [
    ...(command === undefined ? [] : [byCommand(command)]),
    ...(sentence === undefined ? [] : [bySentence(sentence)]),
  ];
}

/** Returns the next line with text, `undefined` if the block ends before it. */
function nextOf(below: Below, offset: number): string | undefined {
  return [1, 2, 3]
    .map((further) => bare(below(offset + further)))
    .find((text) => text !== "")
    ?.replace(/ # .*$/, "");
}

/** Returns an announced command with placeholders, for the user to fill in. */
function withBlanks(text: string, next: string | undefined): string | undefined {
  if (!(RUNS_ON.test(text) || ANNOUNCED.test(text)) || next === undefined || !BLANK.test(next))
    return undefined;
  return REPAIR_PROGRAM.test(next.split(" ")[0] as string) && PLAIN.test(next)
    ? next.slice(0, MAX_LENGTH)
    : undefined;
}

/** Removes the frame that some tools draw, and the prefix of npm. */
function bare(text: string | undefined): string | undefined {
  return text
    ?.replace(/^(?:npm|gyp) (?:ERR!|error)\s?/, "")
    .replace(/^[\s│║|]+/, "")
    .trimEnd()
    .replace(/ [│║|]$/, "")
    .trimEnd();
}

function saidIn(
  text: string,
  offset: number,
  next: string | undefined,
  previous: string | undefined,
): string | undefined {
  const hint = offset > 0 && !isProse(text, previous, next) ? HINT.exec(text)?.groups?.said : undefined;
  const whole = (hint ?? SENTENCE.exec(text)?.groups?.said)?.trim();
  if (OFFER.test(text))
    return next && `Did you mean ${next.replace(/\?$/, "").replace(ENTRY, "")}?`.slice(0, MAX_LENGTH);
  if (/\b[Dd]id you$/.test(text) && next?.startsWith("mean ")) return `Did you ${next}`.slice(0, MAX_LENGTH);
  const said = whole && withinParentheses(CUT.test(whole) ? `${whole} ${next?.trim() ?? ""}` : whole);
  // "To fix this, run …:" announces a command that is more than one program's, such as a cd and what follows it
  if (said && next && REPAIRS.test(said) && announced(text, next) === undefined)
    return `${said} ${next.trim()}`.slice(0, MAX_LENGTH);
  // a sentence of which the first entry of the list below is the end
  if (said?.endsWith(":") && next && ENTRY.test(next))
    return `${said} ${next.replace(ENTRY, "")}`.slice(0, MAX_LENGTH);
  return said === undefined || said.length < 8 || /(?:following|command|run|:)[^:]{0,40}:$/i.test(said)
    ? undefined
    : said.slice(0, MAX_LENGTH);
}

const OF_GIT = "hint: ";

/** Whether a label introduces no remedy: an address alone, or what Git explains over several lines. */
function isProse(text: string, ...around: readonly (string | undefined)[]): boolean {
  if (/: https?:\/\/\S+$/.test(text)) return true;
  return text.startsWith(OF_GIT) && around.some((line) => line?.startsWith(OF_GIT));
}

/** Returns a sentence up to the end of the parentheses that it stands in, of which only the closing one was captured. */
function withinParentheses(text: string): string {
  let open = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === "(") open++;
    else if (character === ")" && open-- === 0) return [...text].slice(0, at).join("");
  }
  return text;
}

function announced(text: string, next: string | undefined): string | undefined {
  const found = ANNOUNCED.exec(text);
  if (!found && !RUNS_ON.test(text) && !OFFER.test(text)) return undefined;
  return safe(found?.groups?.command ?? next ?? "");
}

function commandIn(said: string): string | undefined {
  for (const { groups } of said.matchAll(QUOTED)) {
    const command = safe(groups?.command ?? "");
    if (command) return command;
  }
  return undefined;
}

/** Commands that do nothing by themselves: `use "git add" to track`. */
const NEEDS_MORE = /^git (?:add|checkout|mv|restore|rm|switch)$/;

function safe(command: string): string | undefined {
  const words = command.trim().replace(/^(?:\$|>) /, "");
  const [program = "", ...rest] = words.split(" ");
  if (NEEDS_MORE.test(words)) return undefined;
  return REPAIR_PROGRAM.test(program) &&
    rest.length > 0 &&
    PLAIN.test(words) &&
    !/[<>*]|(?:^| )\.{3}(?: |$)/.test(words)
    ? words
    : undefined;
}

const PRINTED_COMMAND = {
  id: "printed-command",
  kind: "command",
  title: "Run what the log itself tells to run",
  rationale: "The tool that failed prints this as its remedy. Look at what it names before you run it.",
} as const;

const PRINTED_HINT = {
  id: "printed-hint",
  kind: "edit",
  title: "Do as the log itself says: {hint}",
  rationale: "The tool that failed prints this as its remedy.",
} as const;

/** The suggestions under which outcomes of printed remedies are recorded. */
export const PRINTED = [PRINTED_COMMAND, PRINTED_HINT] as const;

function byCommand(command: string): Advice {
  return { ...PRINTED_COMMAND, command };
}

/** Returns a sentence of the log that says what to do, as a suggestion. */
export function bySentence(hint: string): Advice {
  return { ...PRINTED_HINT, title: PRINTED_HINT.title.replace("{hint}", () => hint) };
}
