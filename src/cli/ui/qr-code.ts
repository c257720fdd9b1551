import qrcode from "qrcode-terminal";

/** More makes a picture that no terminal has room for; the largest code there is holds six times as much. */
const MAX_CHARACTERS = 500;

/**
 * The QR code of `text` in half blocks, two modules a character, one row of them a line. The lowest
 * error correction makes the smallest code; a screen does not get scratched. None of what is too long.
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
