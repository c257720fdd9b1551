import { describe, expect, it } from "vitest";
import { STYLESHEET } from "../../src/web/stylesheet.ts";

const [light, dark] = [...STYLESHEET.matchAll(/:root \{([^}]*)\}/g)].map(([, block = ""]) =>
  variablesOf(block),
);

describe.each([
  ["light", { ...light }],
  ["dark", { ...light, ...dark }],
])("the %s colours", (_, colours) => {
  it.each([
    ["text", "ground"],
    ["text", "surface"],
    ["text", "tint"],
    ["muted", "ground"],
    ["muted", "surface"],
    ["muted", "tint"],
    ["accent", "ground"],
    ["accent", "surface"],
    ["accent", "tint"],
    ["on-accent", "accent"],
  ])("have a contrast of 4.5 to 1 for %s on %s (WCAG 2.2, 1.4.3)", (front, back) => {
    expect(contrast(colours[front], colours[back])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["edge", "accent"])(
    "have a contrast of 3 to 1 for the outline of a control in %s (WCAG 2.2, 1.4.11)",
    (front) => {
      expect(contrast(colours[front], colours.surface)).toBeGreaterThanOrEqual(3);
    },
  );
});

describe("the stylesheet", () => {
  it("loads nothing", () => {
    expect(STYLESHEET).not.toMatch(/url\(|@import/);
  });
});

function variablesOf(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
}

/** Computes the contrast ratio as defined in WCAG 2.2. */
function contrast(one = "", other = ""): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour).map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function rgb(colour: string): number[] {
  const [, h, s, l] = /^hsl\((\d+) (\d+)% (\d+)%\)$/.exec(colour)?.map(Number) ?? [];
  if (h === undefined || s === undefined || l === undefined) throw new Error(`no hsl colour: ${colour}`);
  const chroma = (s / 100) * Math.min(l / 100, 1 - l / 100);
  return [0, 8, 4].map((n) => {
    const k = (n + h / 30) % 12;
    return l / 100 - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  });
}
