import jsQR from "jsqr";

/** Colours of a terminal: its foreground and background, and the 16 of its theme. */
export interface Theme {
  foreground: string;
  background: string;
  /** Colours that differ from VGA's 16, by index. */
  colours?: Record<number, string>;
}

export const THEMES: Record<string, Theme> = {
  "white on black": { foreground: "#ffffff", background: "#000000" },
  "black on white": { foreground: "#000000", background: "#ffffff" },
  "Solarized Dark": {
    foreground: "#839496",
    background: "#002b36",
    colours: { 0: "#073642", 7: "#eee8d5", 8: "#002b36", 15: "#fdf6e3" },
  },
  "Solarized Light": {
    foreground: "#657b83",
    background: "#fdf6e3",
    colours: { 0: "#073642", 7: "#eee8d5", 8: "#002b36", 15: "#fdf6e3" },
  },
  // As in base16 themes: black is the light background, and white the dark text.
  "a light one that swaps black and white": {
    foreground: "#383838",
    background: "#f8f8f8",
    colours: { 0: "#f8f8f8", 7: "#383838", 8: "#b8b8b8", 15: "#181818" },
  },
  "one of little contrast": {
    foreground: "#8a8a8a",
    background: "#4e4e4e",
    colours: { 0: "#5f5f5f", 7: "#878787", 15: "#8a8a8a" },
  },
};

type Colour = [red: number, green: number, blue: number];
interface Cell {
  character: string;
  foreground: Colour;
  background: Colour;
}

/** Reads the QR code that a terminal of this theme shows. `inverted` also accepts light modules on dark. */
export function readScreen(written: string, theme: Theme, { inverted = false } = {}): string | undefined {
  const { data, width, height } = painted(cellsOf(written, theme), hex(theme.background));
  return jsQR.default(data, width, height, { inversionAttempts: inverted ? "attemptBoth" : "dontInvert" })
    ?.data;
}

/** Size of a cell in pixels: twice as high as wide. */
const [WIDE, HIGH] = [4, 8];
const MARGIN = 4;

function painted(lines: Cell[][], background: Colour) {
  const width = (Math.max(...lines.map((line) => line.length)) + 2 * MARGIN) * WIDE;
  const height = (lines.length + 2 * MARGIN) * HIGH;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = lines[Math.floor(y / HIGH) - MARGIN]?.[Math.floor(x / WIDE) - MARGIN];
      const colour = cell ? colourIn(cell, y % HIGH < HIGH / 2) : background;
      data.set([...colour, 255], (y * width + x) * 4);
    }
  }
  return { data, width, height };
}

/** Returns the colour of a half cell. Cells with letters count as empty. */
function colourIn({ character, foreground, background }: Cell, upper: boolean): Colour {
  const filled = character === "█" || character === (upper ? "▀" : "▄");
  return filled ? foreground : background;
}

const ESCAPE = String.fromCharCode(27);
const SEQUENCE = new RegExp(`${ESCAPE}\\[([\\d;]*)([A-Za-z])|${ESCAPE}\\([A-Z]|.`, "gsu");

/** Parses lines of cells, coloured by SGR sequences (ECMA-48 §8.3.117). */
function cellsOf(written: string, theme: Theme): Cell[][] {
  let [foreground, background] = [hex(theme.foreground), hex(theme.background)];
  const lines: Cell[][] = [[]];
  for (const [text, codes, final] of written.matchAll(SEQUENCE)) {
    if (text === "\n") lines.push([]);
    else if (final === "m") {
      const numbers = (codes || "0").split(";").map(Number);
      for (let at = 0; at < numbers.length; at++) {
        const code = numbers[at] ?? 0;
        if ((code === 38 || code === 48) && numbers[at + 1] === 5) {
          const colour = indexed(numbers[at + 2] ?? 0, theme);
          if (code === 38) foreground = colour;
          else background = colour;
          at += 2;
        } else if (code === 0) [foreground, background] = [hex(theme.foreground), hex(theme.background)];
        else if (code === 39) foreground = hex(theme.foreground);
        else if (code === 49) background = hex(theme.background);
        else if (code >= 30 && code <= 37) foreground = indexed(code - 30, theme);
        else if (code >= 90 && code <= 97) foreground = indexed(code - 82, theme);
        else if (code >= 40 && code <= 47) background = indexed(code - 40, theme);
        else if (code >= 100 && code <= 107) background = indexed(code - 92, theme);
      }
    } else if (!text.startsWith(ESCAPE)) {
      lines.at(-1)?.push({ character: text, foreground, background });
    }
  }
  return lines;
}

/** Returns one of xterm's 256 colours: the theme's 16, a cube of 6 by 6 by 6, and greys. */
function indexed(index: number, { colours = {} }: Theme): Colour {
  if (index < 16) {
    const level = index > 7 ? 255 : 170;
    const plain: Colour = [index & 1 ? level : 0, index & 2 ? level : 0, index & 4 ? level : 0];
    return colours[index] ? hex(colours[index]) : plain;
  }
  if (index > 231) return Array(3).fill(8 + 10 * (index - 232)) as Colour;
  const steps = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  return [steps[Math.floor(at / 36)] ?? 0, steps[Math.floor(at / 6) % 6] ?? 0, steps[at % 6] ?? 0];
}

function hex(text: string): Colour {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Colour;
}
