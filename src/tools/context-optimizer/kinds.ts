import type { Kind, Segment } from "./contract.ts";

const TURN = /^\[?[\p{Lu}][\p{L}\p{N} .,'’()_/-]{0,48}\]?:\s+\S/u;
const DIFF = /^(?:diff --git |@@ -\d|--- \S.*\n\+\+\+ )/m;
const LOG_LINE =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d)/;
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import|from|export|def|class|function|func|fn|const|let|var|return|if|for|while|public|private|package|using|use)\b|^\s*(?:@\w|\/\/|\/\*|\*|#)|=>|\w\([^)]*\):?\s*$/;
/** Number of lines to examine. */
const LOOKED_AT = 400;
/** Segments of up to this many lines are recognised together. */
const FEW_LINES = 3;
/** Number of characters to examine at each end of a very long line. */
const LOOKED_AT_ENDS = 500;

/** Returns the kind of a text, judged by its contents. */
export function recognise(text: string): Kind {
  if (looksLikeJson(text.trimStart())) return "json";
  if (DIFF.test(text)) return "diff";
  const lines = text
    .split(/\r\n|\n|\r/, LOOKED_AT)
    .filter((line) => line.trim() !== "")
    .map(endsOf);
  const share = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length / lines.length;
  if (lines.length < 2) return "prose";
  if (share(LOG_LINE) >= 0.5) return "log";
  if (share(TURN) >= 0.5 && speakersRepeat(lines)) return "dialogue";
  if (share(CODE_LINE) >= 0.5) return "code";
  return "prose";
}

function endsOf(line: string): string {
  if (line.length <= 2 * LOOKED_AT_ENDS) return line;
  return line.slice(0, LOOKED_AT_ENDS) + line.slice(-LOOKED_AT_ENDS);
}

const EXTENSIONS: Readonly<Record<string, Kind>> = {
  ...kindOf(
    "code",
    "js jsx ts tsx mjs cjs mts cts py pyi go java rb php c h cc cpp hpp cs rs kt kts swift scala sh bash css scss sql vue svelte ex exs dart lua",
  ),
  ...kindOf("prose", "md mdx txt rst adoc"),
  ...kindOf("json", "json jsonl ndjson"),
  ...kindOf("diff", "diff patch"),
  ...kindOf("log", "log"),
};

function kindOf(kind: Kind, extensions: string): Record<string, Kind> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, kind]));
}

/** Returns the kind of an id that is the path of a file, by its extension. */
export function kindOfPath(id: string): Kind | undefined {
  const extension = /\.(\w{1,8})$/.exec(id)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : EXTENSIONS[extension];
}

type Told = Pick<Segment, "content"> & Partial<Pick<Segment, "id" | "kind">>;

/** Returns the kind of each segment: as given, by the name of its file, or as recognised. */
export function kindsOf(segments: readonly Told[]): Kind[] {
  const told = segments.map(({ id = "", kind }) => kind ?? kindOfPath(id));
  const isShort = ({ content }: Told, index: number) =>
    told[index] === undefined && content.split("\n", FEW_LINES + 1).length <= FEW_LINES;
  const short = segments.filter(isShort);
  const together = short.length > 1 ? recognise(short.map(({ content }) => content).join("\n")) : undefined;
  return segments.map((segment, index) => {
    return told[index] ?? ((isShort(segment, index) && together) || recognise(segment.content));
  });
}

/** Whether speakers repeat. Labels such as `Note:` begin lines, too, but seldom come again. */
function speakersRepeat(lines: readonly string[]): boolean {
  const turns = lines.filter((line) => TURN.test(line));
  return new Set(turns.map((line) => line.slice(0, line.indexOf(":")))).size <= Math.max(2, turns.length / 2);
}

function looksLikeJson(text: string): boolean {
  return /^(?:\{\s*"(?:[^"\\\n]|\\.){0,200}"\s*:|\{\s*\}|\[\s*(?:[[{"\]]|-?\d[\d.eE+-]*\s*(?:[,\]]|$)|true|false|null))/.test(
    text,
  );
}
