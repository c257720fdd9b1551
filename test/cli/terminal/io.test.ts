import { describe, expect, it } from "vitest";
import { hasColour, hasUnicode } from "../../../src/cli/terminal/io.ts";

describe("hasColour()", () => {
  it.each([
    ["a terminal", {}, true, true],
    ["a pipe", {}, false, false],
    ["a terminal with NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["a terminal with an empty NO_COLOR", { NO_COLOR: "" }, true, true],
    ["a dumb terminal", { TERM: "dumb" }, true, false],
    ["a terminal under CI", { CI: "true" }, true, false],
    ["a pipe with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
    ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
    ["FORCE_COLOR and NO_COLOR together", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ])("decides on colour for %s", (_, environment, terminal, expected) => {
    expect(hasColour(environment, terminal)).toBe(expected);
  });
});

describe("hasUnicode()", () => {
  it.each([
    ["a UTF-8 locale", { LANG: "en_GB.UTF-8" }, true],
    ["no word about the locale", {}, true],
    ["a locale without a charset", { LANG: "de_DE" }, true],
    ["the C locale", { LANG: "C" }, false],
    ["POSIX over everything", { LC_ALL: "POSIX", LANG: "en_GB.UTF-8" }, false],
    ["C.UTF-8", { LC_ALL: "C.UTF-8" }, true],
    ["another charset", { LANG: "de_DE.ISO-8859-1" }, false],
    ["the Linux console", { TERM: "linux", LANG: "en_GB.UTF-8" }, false],
  ])("decides on characters beyond ASCII for %s", (_, environment, expected) => {
    expect(hasUnicode(environment, "linux")).toBe(expected);
  });
});
