import { expect, it } from "vitest";
import { plainName } from "../../src/providers/provider.ts";

it.each([
  ["Ada Lovelace", "Ada Lovelace"],
  [" Ada\n\tLovelace ", "Ada Lovelace"],
  ["ada@example.com", "ada example.com"],
  ["Ada\u202e", "Ada"],
  ["😀", "😀"],
  ["株式会社", "株式会社"],
  ["a".repeat(200), "a".repeat(100)],
])("the name %j is displayed as %j", (name, displayed) => {
  expect(plainName(name)).toBe(displayed);
});

it.each(["", "   ", "\u200f", "\u00ad", "\u3164", "\u0301", undefined, 7])(
  "%j shows nothing, so it is no name",
  (name) => {
    expect(plainName(name)).toBeUndefined();
  },
);
