import { describe, expect, it } from "vitest";
import { qrLines } from "../../../src/cli/ui/qr-code.ts";
import { createStyle } from "../../../src/cli/ui/style.ts";
import { withEscapes } from "../../../src/cli/ui/terminal-text.ts";
import { readScreen, THEMES } from "../support/qr-screen.ts";

const URLS = [
  "https://a.example/device?user_code=BCDF-GHJK",
  "https://control.example.com/device?user_code=WXZW-XZWX",
  "https://a-rather-long-name.control-plane.example.com/device?user_code=BCDF-GHJK",
  `https://${"long.".repeat(20)}example.com/device?user_code=BCDF-GHJK`,
];

/** Returns the output of a QR code between the text of the sign-in. */
function written(url: string, coloured: boolean): string {
  const { picture } = createStyle(coloured);
  return [
    "  Enter  BCDF-GHJK",
    ...qrLines(url).map((line) => `  ${withEscapes(picture(line))}      words`),
  ].join("\n");
}

describe("the QR code", () => {
  for (const [name, theme] of Object.entries(THEMES)) {
    it.each(URLS)(`reads as %s on a terminal ${name}`, (url) => {
      expect(readScreen(written(url, true), theme)).toBe(url);
    });
  }

  it.each(["white on black", "black on white"])(
    "is readable without colour, %s, by a reader of inverted codes",
    (name) => {
      for (const url of URLS) {
        expect(readScreen(written(url, false), THEMES[name]!, { inverted: true })).toBe(url);
      }
    },
  );

  it("takes half as many rows as columns, and at most 17 for a short address", () => {
    for (const url of URLS) {
      const lines = qrLines(url);
      const [width, ...others] = new Set(lines.map((line) => line.length));
      expect(others).toEqual([]);
      expect(lines.length).toBe(Math.ceil(width! / 2));
    }
    expect(qrLines(URLS[0]!).length).toBeLessThanOrEqual(17);
  });

  it("is left out for an address that is too long for any terminal", () => {
    expect(qrLines(`https://control.example.com/${"x".repeat(5000)}`)).toEqual([]);
  });
});
