import qrcode from "qrcode-terminal";

/** A longer text makes a code too large for terminals. The largest QR code holds six times as much. */
const MAX_CHARACTERS = 500;

/**
 * Returns the lines of the QR code of `text`, in half blocks with two modules per character; empty if the text is too
 * long. The lowest error correction makes the smallest code, and is enough on a screen.
 */
export function qrLines(text: string): string[] {
  if (text.length > MAX_CHARACTERS) return [];
  let drawn = "";
  qrcode.setErrorLevel("L");
  qrcode.generate(text, { small: true }, (code) => {
    drawn = code;
  });
  return drawn.trimEnd().split("\n");
}
