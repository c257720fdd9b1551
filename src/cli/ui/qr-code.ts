import qrcode from "qrcode-terminal";
import type { Style } from "./style.ts";

/**
 * The QR code of `text` in half blocks, two modules a character, one row of them a line. The lowest
 * error correction makes the smallest code; a screen does not get scratched.
 */
export function qrLines(text: string): string[] {
  let drawn = "";
  qrcode.setErrorLevel("L");
  qrcode.generate(text, { small: true }, (code) => {
    drawn = code;
  });
  return drawn.trimEnd().split("\n");
}

/** Light modules are drawn, dark ones left out: where there is colour, it holds on any background. */
export function colourQr(line: string, style: Style): string {
  return style.coloured ? `\u001b[97;40m${line}\u001b[39;49m` : line;
}
