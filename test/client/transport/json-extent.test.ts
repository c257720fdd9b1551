import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { whyNotParsed } from "../../../src/client/transport/json-extent.ts";

const bytes = (text: string) => Buffer.from(text);
const MANY = 5_000_001;

describe("whyNotParsed()", () => {
  it.each([
    ["numbers", `[${"0,".repeat(MANY)}0]`],
    ["objects", `[${"{},".repeat(MANY / 2)}{}]`],
    ["arrays", `[${"[],".repeat(MANY / 2)}0]`],
    ["members", `{${'"a":0,'.repeat(MANY)}"b":0}`],
  ])("refuses more than five million values: %s", (_, text) => {
    expect(whyNotParsed(bytes(text))).toBe("of more than 5 million values");
  });

  it("refuses more than a thousand levels", () => {
    expect(whyNotParsed(bytes("[".repeat(2 << 20)))).toBe("of more than 1000 levels");
    expect(whyNotParsed(bytes('{"a":'.repeat(1 << 20)))).toBe("of more than 1000 levels");
  });

  it("accepts five million values and a thousand levels", () => {
    const values = (count: number) => whyNotParsed(bytes(`[${"0,".repeat(count - 2)}0]`));
    expect([values(MANY), values(MANY + 1)]).toEqual([undefined, "of more than 5 million values"]);
    const levels = (count: number) =>
      whyNotParsed(bytes(`${" ".repeat(1 << 20)}${"[".repeat(count)}${"]".repeat(count)}`));
    expect([levels(1000), levels(1001)]).toEqual([undefined, "of more than 1000 levels"]);
    const oneAfterAnother = `[${"[[]],".repeat(300_000)}{}]`;
    expect(whyNotParsed(bytes(oneAfterAnother))).toBeUndefined();
  });

  it("does not check a document of one mebibyte or less", () => {
    expect(whyNotParsed(bytes("[".repeat(1 << 20)))).toBeUndefined();
    expect(whyNotParsed(bytes("[".repeat((1 << 20) + 1)))).toBe("of more than 1000 levels");
  });

  it("ignores brackets and commas within strings", () => {
    const text = JSON.stringify({ text: '[{,"\\'.repeat(2_000_000), more: ["\\", '\\"', "[".repeat(2000)] });
    expect(whyNotParsed(bytes(text))).toBeUndefined();
  });

  it("accepts any JSON within the bounds", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const many = `[${Array.from({ length: Math.ceil((2 << 20) / (text.length + 1)) }, () => text)}]`;
        if ((many.match(/[[{,]/g)?.length ?? 0) < MANY - 1) expect(whyNotParsed(bytes(many))).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });
});
