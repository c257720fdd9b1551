import { describe, expect, it } from "vitest";
import { qrLines } from "../../../src/cli/ui/qr-code.ts";
import { createStyle } from "../../../src/cli/ui/style.ts";
import { rendered } from "../../../src/cli/ui/terminal-text.ts";
import { decodeQr, hasDecoder } from "../support/qr-decoder.ts";

const URLS = [
  "http://127.0.0.1:4242/device?user_code=BCDF-GHJK",
  "https://control.example.com/device?user_code=WXZW-XZWX",
  "https://a-rather-long-name.control-plane.example.com/device?user_code=BCDF-GHJK",
];

describe("the QR code", () => {
  it.for(URLS)("reads as %s", (url, { skip }) => {
    skip(!hasDecoder, "zbarimg (zbar-tools) is not installed");
    expect(decodeQr(qrLines(url))).toBe(url);
  });

  it("takes half as many rows as columns", () => {
    const lines = qrLines(URLS[0]!);
    expect(lines.length).toBeLessThanOrEqual(17);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });

  it("is left out for an address that no terminal has room for", () => {
    expect(qrLines(`https://control.example.com/${"x".repeat(5000)}`)).toEqual([]);
  });

  it("says black on white itself where there is colour, whatever the theme", () => {
    expect(rendered(createStyle(true).picture("█▀▄"))).toBe("\u001b[97;40m█▀▄\u001b[39;49m");
    expect(createStyle(false).picture("█▀▄")).toBe("█▀▄");
  });
});
