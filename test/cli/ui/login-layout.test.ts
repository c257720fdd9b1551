import { describe, expect, it } from "vitest";
import { CAPTION, layoutLogin } from "../../../src/cli/ui/login-layout.ts";
import { qrLines } from "../../../src/cli/ui/qr-code.ts";

const TEXT = [
  "Sign in to http://127.0.0.1:4242",
  "Open   http://127.0.0.1:4242/device",
  "Enter  BCDF-GHJK",
  "x Waiting for approval   14:32 left",
];
const LOOPBACK = "http://127.0.0.1:4242/device?user_code=BCDF-GHJK";

function layout(url: string, columns: number, rows: number, unicode = true) {
  return layoutLogin({ columns, rows, unicode, qr: qrLines(url), text: TEXT });
}

describe("the layout of the sign-in frame", () => {
  it.each([
    LOOPBACK,
    "https://control.example.com/device?user_code=BCDF-GHJK",
    "https://control-plane.example.com/t/device?user_code=BCDF-GHJK",
  ])("shows the QR code of %s on 80 by 24", (url) => {
    const { qr, caption, spacious } = layout(url, 80, 24);
    expect(qr.length).toBeGreaterThan(0);
    expect(caption).toBe("beside");
    // The cursor waits in the last row.
    expect(TEXT.length + qr.length + (spacious ? 2 : 0)).toBeLessThanOrEqual(23);
  });

  it("puts the caption above the code where there is no room beside it", () => {
    expect(layout(LOOPBACK, 50, 30).caption).toBe("above");
  });

  it("lets the blank lines go before the code", () => {
    const needed = TEXT.length + qrLines(LOOPBACK).length;
    expect(layout(LOOPBACK, 80, needed + 1)).toMatchObject({ spacious: false, caption: "beside" });
    expect(layout(LOOPBACK, 80, needed + 3)).toMatchObject({ spacious: true, caption: "beside" });
  });

  it("lets the code go before the text, and says what it lacks", () => {
    const width = 2 + Math.max(...qrLines(LOOPBACK).map((line) => line.length));
    expect(layout(LOOPBACK, width - 1, 40)).toMatchObject({
      qr: [],
      missing: `No QR code: it needs ${width} columns, this terminal has ${width - 1}.`,
    });
    const needed = TEXT.length + qrLines(LOOPBACK).length + 1;
    expect(layout(LOOPBACK, 80, needed - 1)).toMatchObject({
      qr: [],
      missing: `No QR code: it needs ${needed} rows, this terminal has ${needed - 1}.`,
    });
  });

  it("draws no code where there are only ASCII characters", () => {
    expect(layout(LOOPBACK, 80, 24, false)).toMatchObject({
      qr: [],
      missing: "No QR code: this terminal's locale has no block characters.",
    });
  });

  it("has a caption that fits beside the largest code that a screen of 80 columns shows", () => {
    expect(CAPTION.length).toBeLessThanOrEqual(80 - 2 - 35 - 6);
  });
});
