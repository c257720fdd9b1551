/** Sequences of the program's own style and line redraws. The same ones from elsewhere do no harm. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const OWN = /\u001b\[(?:1|2|22|31|32|33|36|39|38;5;231;48;5;16|38;5;231|48;5;16|49|39;49)m|\r\u001b\[2K/g;
/** Sequences with which Ink moves and hides the cursor, and `ESC[<n>m` of the 16 colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const INKS = /\u001b\[(?:2K|\dA|1?G|\?25[lh]|\?2026[lh]|J|3J|H|\d{1,2}m)|\r(?=\n)/g;

/** Returns the characters that a terminal must not get from foreign text, as hexadecimal code points. */
export function hostileIn(written: string, drawn = false): string[] {
  const rest = drawn ? written.replace(OWN, "").replace(INKS, "") : written.replace(OWN, "");
  return [...rest].filter(isHostile).map((character) => (character.codePointAt(0) as number).toString(16));
}

const RANGES: [from: number, to: number][] = [
  [0, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

function isHostile(character: string): boolean {
  if (character === "\n" || character === "\t") return false;
  const code = character.codePointAt(0) as number;
  return RANGES.some(([from, to]) => code >= from && code <= to);
}
