import { isLoopback } from "../../client/transport/base-url.ts";
import { wrap } from "./width.ts";

/**
 * What of the sign-in frame fits a terminal: the QR code goes away before the text does. A frame that is higher than
 * the screen could not be redrawn without clearing what scrolled out of it.
 */
export interface LoginLayout {
  qr: readonly string[];
  /** Blank lines between the groups; the first thing to give way. */
  spacious: boolean;
  /** Where the words about the QR code stand. */
  caption: "beside" | "above" | "none";
  /**
   * Where all other words stand, but for the address, which has a line of its own: so a terminal needs fewer rows.
   * Where not even the words fit, nowhere.
   */
  words: "around" | "beside" | "nowhere";
  /** Why the QR code is not there. */
  missing?: string | undefined;
}

export const CAPTION = "or scan this with your phone";
const MARGIN = 2;
const GAP = 6;
/** Columns for the words beside the code. */
const MIN_BESIDE = 28;

export function layoutLogin(size: {
  columns: number;
  rows: number;
  /** Empty where there cannot be one; undefined where it would be no use. */
  qr: readonly string[] | undefined;
  unicode: boolean;
  /** The lines of text above and below the code. */
  text: readonly string[];
  /** The one of them that has the address. */
  address: string;
}): LoginLayout {
  const { columns, rows, qr, text } = size;
  // The row below the frame is where the cursor waits; without it the terminal would scroll at every frame.
  const room = rows - 1;
  const across = Math.max(1, columns - MARGIN);
  // At most: Ink breaks a long word, too, and may begin it in the line before.
  const rowsOf = (line: string) =>
    wrap(line, across).reduce((sum, part) => sum + Math.ceil(part.length / across), 0);
  const textRows = text.reduce((sum, line) => sum + rowsOf(line), 0);
  const none = (missing?: string): LoginLayout => {
    const left = room - textRows - (missing ? rowsOf(missing) : 0);
    return {
      qr: [],
      spacious: left >= 2,
      caption: "none",
      words: textRows <= room ? "around" : "nowhere",
      missing: left >= 0 ? missing : undefined,
    };
  };
  if (!qr) return none();
  if (!size.unicode) return none("No QR code: this terminal's locale has no block characters.");
  if (qr.length === 0) return none("No QR code: the address is too long for one.");
  const width = MARGIN + Math.max(...qr.map((line) => line.length));
  if (columns < width) return none(`No QR code: it needs ${width} columns, this terminal has ${columns}.`);
  const caption = columns >= width + GAP + CAPTION.length ? "beside" : "above";
  const needed = textRows + qr.length + (caption === "above" ? 1 : 0);
  if (needed <= room) return { qr, spacious: needed + 2 <= room, caption, words: "around" };
  const fewest = columns >= width + GAP + MIN_BESIDE ? rowsOf(size.address) + qr.length : needed;
  if (fewest <= room) return { qr, spacious: false, caption: "beside", words: "beside" };
  return none(`No QR code: it needs ${fewest + 1} rows, this terminal has ${rows}.`);
}

/** Whether a phone could open an address: this machine's own lead it to itself. */
export function scannable(address: string): boolean {
  return !isLoopback(new URL(address).hostname);
}
