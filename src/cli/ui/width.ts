// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;]*m/g;
const PLAIN = /^[ -~]*$/;
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const NOTHING = /^[\p{Mark}\p{Control}\p{Format}]+$/u;

/** Made when the first text needs it: that takes milliseconds, and most texts are plain. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** How many columns `text` takes in a terminal; colour takes none. */
export function columnsOf(text: string): number {
  const visible = text.replace(ESCAPES, "");
  if (PLAIN.test(visible)) return visible.length;
  return graphemes(visible).reduce((columns, segment) => columns + widthOf(segment), 0);
}

function widthOf(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The beginning of `text` in at most `columns`, with a mark where something is missing. */
export function shorten(text: string, columns: number, ellipsis: string): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  for (const segment of graphemes(text)) {
    if (columnsOf(cut + segment) > columns - columnsOf(ellipsis)) break;
    cut += segment;
  }
  return cut + ellipsis;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What a server or another person wrote may hold escape sequences: they are shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** `text` in lines of at most `columns`, broken at spaces, each under the indentation of the first. */
export function wrap(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const indent = /^ */.exec(text)?.[0] ?? "";
  const lines: string[] = [];
  let line = "";
  for (const word of text.slice(indent.length).split(" ")) {
    const longer = line === "" ? indent + word : `${line} ${word}`;
    if (line === "" || columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = indent + word;
  }
  return [...lines, line];
}

/** `text` behind `prefix`; what does not fit goes on under its own beginning. */
export function hanging(prefix: string, text: string, columns: number): string {
  const indent = columnsOf(prefix);
  const lines = wrap(" ".repeat(indent) + text, columns);
  return prefix + lines.join("\n").slice(indent);
}
