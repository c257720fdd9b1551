const TEMPLATE =
  /(?:^|\/)(?:\.github|\.gitlab|docs)\/(?:(?:issue|merge_request|pull_request)_templates?(?:\/[^/]+)?|issue_template)\.?(?:md|ya?ml|txt)?$|(?:^|\/)(?:issue|pull_request)_template\.(?:md|txt)$/i;
const WORD = /[\p{L}\p{N}'’]+/gu;
/** Number of words in a row that count as copied if they are in a template. */
const ROW = 5;
/** A key in a form, before the text shown: `- label: "…"`. */
const KEY = /^[\s-]*(?:label|description|value|placeholder|title)\s*:\s*[>|]?/;

const TICK = /\[x\]/gi;

/** Whether a file is a template for issues or changes. */
export function isTemplate(path: string): boolean {
  return TEMPLATE.test(path);
}

/**
 * Returns a query without text from the project's own templates: whole lines, and rows of words whatever their line
 * breaks. Returns all of it where nothing else is left.
 */
export function withoutTemplateText(query: string, templates: readonly string[]): string {
  if (templates.length === 0) return query;
  const lines = new Set(templates.flatMap((text) => text.split("\n").map((line) => wordsOf(line).join(" "))));
  const rows = new Set(templates.flatMap((text) => rowsOf(wordsOf(text))));
  const [title = "", ...rest] = query.replace(TICK, "[ ]").split("\n");
  const body = rest.filter((line) => !lines.has(wordsOf(line).join(" "))).join("\n");
  const words = [...body.matchAll(WORD)];
  const isSaid = new Uint8Array(words.length);
  for (const [at, row] of rowsOf(words.map(([word]) => word.toLowerCase())).entries())
    if (rows.has(row)) isSaid.fill(1, at, at + ROW);
  let own = "";
  let from = 0;
  for (const [at, { 0: word, index }] of words.entries()) {
    if (isSaid[at] === 0) continue;
    own += body.slice(from, index);
    from = index + word.length;
  }
  own += body.slice(from);
  const asked = `${lines.has(wordsOf(title).join(" ")) ? "" : title}\n${own}`;
  return wordsOf(asked).length > 0 ? asked : query;
}

function wordsOf(text: string): string[] {
  return text.replace(KEY, "").replace(TICK, "").toLowerCase().match(WORD) ?? [];
}

function rowsOf(words: readonly string[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at + ROW <= words.length; at++) rows.push(words.slice(at, at + ROW).join(" "));
  return rows;
}
