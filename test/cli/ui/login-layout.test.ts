import { describe, expect, it } from "vitest";
import { CAPTION, layoutLogin, scannable } from "../../../src/cli/ui/login-layout.ts";
import { qrLines } from "../../../src/cli/ui/qr-code.ts";

const TEXT = [
  "Sign in to http://127.0.0.1:4242",
  "Open   http://127.0.0.1:4242/device",
  "Enter  BCDF-GHJK",
  "x Waiting for approval   14:32 left",
];
const SHORT = "https://a.example/device?user_code=BCDF-GHJK";

function layout(url: string, columns: number, rows: number, unicode = true) {
  return layoutLogin({ columns, rows, unicode, qr: qrLines(url), text: TEXT, address: TEXT[1] ?? "" });
}

describe("layoutLogin()", () => {
  it.each([
    SHORT,
    "https://control.example.com/device?user_code=BCDF-GHJK",
    "https://control-plane.example.com/t/device?user_code=BCDF-GHJK",
  ])("shows the QR code of %s at 80 by 24", (url) => {
    const { qr, caption, spacious } = layout(url, 80, 24);
    expect(qr.length).toBeGreaterThan(0);
    expect(caption).toBe("beside");
    // The last row is for the cursor.
    expect(TEXT.length + qr.length + (spacious ? 2 : 0)).toBeLessThanOrEqual(23);
  });

  it("puts the caption above the code when there is no room beside the code", () => {
    expect(layout(SHORT, 50, 30).caption).toBe("above");
  });

  it("drops the blank lines before the code", () => {
    const needed = TEXT.length + qrLines(SHORT).length;
    expect(layout(SHORT, 80, needed + 1)).toMatchObject({ spacious: false, caption: "beside" });
    expect(layout(SHORT, 80, needed + 3)).toMatchObject({ spacious: true, caption: "beside" });
  });

  it("drops the code before the text, and says which size is missing", () => {
    const width = 2 + Math.max(...qrLines(SHORT).map((line) => line.length));
    expect(layout(SHORT, width - 1, 40)).toMatchObject({
      qr: [],
      missing: `No QR code: it needs ${width} columns, this terminal has ${width - 1}.`,
    });
    const needed = 1 + qrLines(SHORT).length + 1;
    expect(layout(SHORT, 80, needed - 1)).toMatchObject({
      qr: [],
      missing: `No QR code: it needs ${needed} rows, this terminal has ${needed - 1}.`,
    });
  });

  it("drops the blank lines, then the reason, then the words in ever lower terminals", () => {
    const rows = (count: number) => layout(SHORT, 80, count);
    expect(rows(TEXT.length + 4)).toMatchObject({ spacious: true, missing: expect.stringMatching(/^No QR/) });
    expect(rows(TEXT.length + 3)).toMatchObject({
      spacious: false,
      missing: expect.stringMatching(/^No QR/),
    });
    expect(rows(TEXT.length + 2)).toMatchObject({
      spacious: false,
      missing: expect.stringMatching(/^No QR/),
    });
    expect(rows(TEXT.length + 1)).toMatchObject({ words: "around", missing: undefined });
    expect(rows(TEXT.length)).toMatchObject({ words: "nowhere", qr: [] });
    // Each line except the code wraps to two rows, or to three.
    expect(layout(SHORT, 20, 12).words).toBe("around");
    expect(layout(SHORT, 20, 8).words).toBe("nowhere");
  });

  it("puts all words but the address beside a code that leaves no rows for them", () => {
    const long = `https://${"a".repeat(60)}.example.com/toolplane/device?user_code=BCDF-GHJK`;
    expect(layout(long, 80, 24)).toMatchObject({ words: "beside", caption: "beside" });
    expect(layout(long, 80, 40).words).toBe("around");
    expect(layout(long, 60, 24).missing).toMatch(/^No QR code: it needs \d+ rows, this terminal has 24\.$/);
  });

  it("gives no reason for the missing code of a loopback address", () => {
    expect(
      layoutLogin({ columns: 80, rows: 24, unicode: true, qr: undefined, text: TEXT, address: "" }),
    ).toEqual({
      qr: [],
      spacious: true,
      caption: "none",
      words: "around",
      missing: undefined,
    });
    for (const here of ["http://127.0.0.1:4242/device", "http://localhost:1/device", "http://[::1]/device"]) {
      expect(scannable(here)).toBe(false);
    }
    expect(scannable("https://192.168.0.7/device")).toBe(true);
  });

  it("draws no code with ASCII characters only", () => {
    expect(layout(SHORT, 80, 24, false)).toMatchObject({
      qr: [],
      missing: "No QR code: this terminal's locale has no block characters.",
    });
  });

  it("leaves room for the caption beside the largest code on 80 columns", () => {
    expect(CAPTION.length).toBeLessThanOrEqual(80 - 2 - 35 - 6);
  });
});
