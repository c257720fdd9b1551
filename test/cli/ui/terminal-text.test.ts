import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle } from "../../../src/cli/ui/style.ts";
import { escapeJson, jsonText, sanitized, withEscapes } from "../../../src/cli/ui/terminal-text.ts";
import { codePoint } from "../../support/code-point.ts";

/** Whether a terminal must not get a character from foreign text, by its code point. */
function isHostile(character: string): boolean {
  const code = character.codePointAt(0) as number;
  const within = (...ranges: [number, number][]) => ranges.some(([from, to]) => code >= from && code <= to);
  if (character === "\n" || character === "\t") return false;
  return within(
    [0, 0x1f],
    [0x7f, 0x9f],
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x061c, 0x061c],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
    [0xe0000, 0xe0fff],
  );
}

const style = createStyle(true);
const SGR = "\u001b[";
/** Text that consists mostly of hostile characters. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom(SGR, "\u001b]52;c;", "\u0007", "\u009b31m", "\u202e", "\r", "\r\n", "\u{e0041}", "ok"),
    ),
  )
  .map((parts) => parts.join(""));

describe("withEscapes()", () => {
  it("leaves nothing that a terminal obeys, reorders or hides", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect([...withEscapes(text)].filter(isHostile)).toEqual([]);
        expect(sanitized(sanitized(text))).toBe(sanitized(text));
      }),
    );
  });

  it("replaces control characters with visible signs", () => {
    expect(withEscapes("a\u001b[2Jb\u0007\u009b\u202e\u007f")).toBe("a␛[2Jb␇\ufffd\ufffd␡");
    expect(withEscapes("two\r\nlines\tof\rtext")).toBe("two\nlines\tof␍text");
  });

  it("preserves text in any script", () => {
    for (const text of ["👩‍👩‍👧 ❤️ 1️⃣", "می‌خواهم", "שלום", "日本語 한국어", "e\u0301", "क्‍ष"]) {
      expect(withEscapes(text)).toBe(text);
    }
  });

  it("writes our own style, but no style from foreign text", () => {
    const text = `${style.bold("ok")} ${SGR}31mred${SGR}8m`;
    expect(withEscapes(text)).toBe(`${SGR}1mok${SGR}22m ␛[31mred␛[8m`);
    expect(withEscapes(style.red(`a${SGR}0mb`))).toBe(`${SGR}31ma␛[0mb${SGR}39m`);
  });

  it("ignores text that imitates the marks of our style", () => {
    const marked = style.red("x");
    const number = /\d{5,}/.exec(marked)?.[0] as string;
    const guess = marked.replaceAll(number, String(BigInt(number) + 1n));
    expect(withEscapes(guess)).not.toContain("\u001b");
  });
});

describe("jsonText() and escapeJson()", () => {
  it("keep the value, and escape everything that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.jsonValue(), fc.dictionary(hostileText, hostileText)), (value) => {
        const text = jsonText(value, 2);
        expect([...text].filter(isHostile)).toEqual([]);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("escape a hidden character beyond the basic plane as two units", () => {
    expect(escapeJson('"\u{e0041}\u009b\u007f👩‍👧"')).toBe('"\\udb40\\udc41\\u009b\\u007f👩‍👧"');
  });
});
