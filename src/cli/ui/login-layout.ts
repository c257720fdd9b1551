import { isLoopback } from "../../system/network/loopback.ts";
import { wrap } from "./width.ts";

/**
 * The parts of the sign-in frame that fit a terminal. The QR code is left out before the text. A frame higher than
 * the screen could not be redrawn without clearing the scrollback.
 */
export interface LoginLayout {
  qr: readonly string[];
  /** Whether there are blank lines between the groups, which are left out first. */
  spacious: boolean;
  /** The position of the QR code's caption. */
  caption: "beside" | "above" | "none";
  /**
   * The position of the other text. The address always has a line of its own. `beside` needs fewer rows, and `nowhere`
   * means that not even the text fits.
   */
  words: "around" | "beside" | "nowhere";
  /** Why there is no QR code. */
  missing?: string;
}

export const CAPTION = "or scan this with your phone";
const MARGIN = 2;
const GAP = 6;
/** The least columns for text beside the code. */
const MIN_BESIDE = 28;

export function layoutLogin(size: {
  columns: number;
  rows: number;
  /** The lines of the QR code; empty if the address is too long, undefined if it would be of no use. */
  qr: readonly string[] | undefined;
  unicode: boolean;
  /** The lines of text above and below the code. */
  text: readonly string[];
  /** The one of them that has the address. */
  address: string;
}): LoginLayout {
  const { columns, rows, qr, text } = size;
  // The cursor waits in the row below the frame. Without that row, the terminal would scroll at every frame.
  const room = rows - 1;
  const across = Math.max(1, columns - MARGIN);
  // An upper bound: Ink also breaks long words, and may begin one on the previous line.
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

/** Whether a phone could open an address. A loopback address would lead to the phone itself. */
export function scannable(address: string): boolean {
  return !isLoopback(new URL(address).hostname);
}
