import { describe, expect, it } from "vitest";
import { scoreImportance } from "../../../src/tools/agent-memory/importance.ts";

/** A text without any sign of importance. */
const PLAIN = "a quiet afternoon with tea";
const NO_SIGN = ["has no sign of importance"];

describe("scoreImportance()", () => {
  it.each([
    ["asks to be remembered", 0.55, ["remember", "keep in mind", "take note"]],
    ["says that it is important", 0.55, ["important", "warning", "urgent"]],
    ["sets a rule", 0.5, ["always", "never", "mandatory", "required", "under no circumstances"]],
    ["records a decision", 0.5, ["decided", "we'll", "we will", "settled on", "rejected"]],
    ["gives a reason", 0.4, ["because", "so that", "root cause", "turned out"]],
    ["states a preference", 0.45, ["prefers", "favorite", "favourites", "allergic", "would rather"]],
    [
      "is about a failure or a risk",
      0.45,
      ["error", "failed", "failure", "crashed", "vulnerable", "data loss", "leak"],
    ],
    [
      "names a date, a deadline or a number",
      0.43,
      ["2026-01-15", "deadline", "by friday", "v1.20", "20 ms", "5%b", "3 gib", "€ 5", "90 days"],
    ],
    ["names a person, place or thing", 0.4, ["with Ada", "in 東 Łódź"]],
    [
      "names code, a path or an address",
      0.42,
      ["`x y`", "src/a", "call()", "f(a)", "camelCase", "snake_case"],
    ],
    [
      "is about life and health",
      0.47,
      ["birthday", "pregnancy", "died", "hospital", "graduated", "promoted"],
    ],
    ["is uncertain", 0.3, ["maybe", "not sure", "i guess", "probably"]],
  ])("recognises a text that %s", (reason, importance, signs) => {
    for (const sign of signs) {
      expect([sign, scoreImportance(`${PLAIN} ${sign}`, "fact")]).toEqual([
        sign,
        { importance, reasons: [reason] },
      ]);
    }
  });

  it.each([
    ["sets a rule", "must|must not|require|required"],
    [
      "states a preference",
      "prefer|prefers|favourite|favorites|like|likes|dislike|dislikes|hate|hates|love|loves|want|wants",
    ],
    [
      "is about a failure or a risk",
      "error|errors|bug|bugs|fail|fails|crash|crashes|broke|broken|vulnerability|leak|leaks",
    ],
    [
      "names a date, a deadline or a number",
      "1.5|10.25|v1.5|7ms|70 ms|1 hour|2 hours|1 day|2 days|1 week|2 weeks|3 kb|3 kib|$5|$ 5|by sunday",
    ],
    ["is about life and health", "divorce|divorced|diagnosed|graduation|pregnant"],
    ["names code, a path or an address", "`x`|a/b|a.b/c-d|call(a, b)|aB1|ab_cd|ab_c|a_bc"],
    ["names a person, place or thing", "tea with Ada|tea, Ada there|1 Ada|tea; Łódź"],
  ])("recognises each form of a text that %s", (reason, signs) => {
    for (const sign of signs.split("|"))
      expect([sign, scoreImportance(`${PLAIN} ${sign}`, "fact").reasons]).toEqual([sign, [reason]]);
  });

  it("recognises no name of one letter or at the beginning of a sentence", () => {
    for (const text of [`Ada, ${PLAIN}`, `${PLAIN}. Ada there`, `${PLAIN} as A there`])
      expect([text, scoreImportance(text, "fact").reasons]).toEqual([text, NO_SIGN]);
  });

  it("recognises each form of thanks as small talk", () => {
    for (const sign of ["thank you", "thanks", "ok", "okay", "... ok"])
      expect(scoreImportance(`${sign} ${PLAIN}`, "fact").reasons).toEqual(["is small talk"]);
  });

  it("recognises a greeting at the beginning, and a text that only asks", () => {
    const reasons = (text: string) => scoreImportance(text, "fact");
    expect(reasons(`Hello, ${PLAIN}`)).toEqual({ importance: 0.2, reasons: ["is small talk"] });
    expect(reasons(`"good night", ${PLAIN}`)).toEqual({ importance: 0.2, reasons: ["is small talk"] });
    expect(reasons(`${PLAIN} and hello`).reasons).toEqual(NO_SIGN);
    expect(reasons(`is it ${PLAIN}? `)).toEqual({ importance: 0.25, reasons: ["only asks"] });
    expect(reasons(`${PLAIN}. is it?`).reasons).toEqual(NO_SIGN);
    expect(reasons(`is it? ${PLAIN}`).reasons).toEqual(NO_SIGN);
  });

  it("lowers the importance of a text with fewer than five words", () => {
    expect(scoreImportance("a quiet afternoon tea", "fact")).toEqual({
      importance: 0.25,
      reasons: ["is very short"],
    });
    expect(scoreImportance("a quiet afternoon with tea", "fact").reasons).toEqual(NO_SIGN);
  });

  it("takes the kind into account", () => {
    const kinds = (["fact", "preference", "procedure", "decision", "event"] as const).map((kind) =>
      scoreImportance(PLAIN, kind),
    );
    expect(kinds).toEqual([
      { importance: 0.35, reasons: NO_SIGN },
      { importance: 0.45, reasons: ["is a preference"] },
      { importance: 0.45, reasons: ["is a procedure"] },
      { importance: 0.5, reasons: ["is a decision"] },
      { importance: 0.3, reasons: ["is an event"] },
    ]);
  });

  it("adds up all reasons in hundredths, to between 0.05 and 1", () => {
    const all =
      "remember: critical, never; we decided because Ada prefers it, the error of 2026-01-15 in `x`";
    expect(scoreImportance(all, "decision").importance).toBe(1);
    expect(scoreImportance("hi, maybe?", "event").importance).toBe(0.05);
    expect(scoreImportance(`${PLAIN} because of 20 ms`, "fact").importance).toBe(0.48);
  });

  it("reads only the beginning of a long text", () => {
    const late = `${"tea ".repeat(1023)}dear critical`;
    expect(scoreImportance(late, "fact").reasons).toEqual(NO_SIGN);
    expect(scoreImportance(late.slice(9), "fact").reasons).toEqual(["says that it is important"]);
  });
});
