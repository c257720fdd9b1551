import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import cl100k from "gpt-tokenizer/bpeRanks/cl100k_base";
import o200k from "gpt-tokenizer/bpeRanks/o200k_base";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { readVocabulary } from "../../src/text/tokens/vocabulary.ts";
import { temporaryDirectory } from "../support/store.ts";

it("readVocabulary() refuses a file that was truncated or changed", async () => {
  const whole = readFileSync(join(packageRoot, "dist", "cl100k_base.vocabulary.br"));
  const file = join(temporaryDirectory(), "damaged.vocabulary.br");
  const changed = Buffer.from(whole);
  const middle = Math.floor(whole.length / 2);
  changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle);
  for (const damaged of [...[0, 3, middle, whole.length - 1].map((to) => whole.subarray(0, to)), changed]) {
    writeFileSync(file, damaged);
    await expect(readVocabulary(file)).rejects.toThrow("is damaged: install the package again");
  }
});

describe.each([
  ["o200k_base", o200k],
  ["cl100k_base", cl100k],
] as const)("the vocabulary %s", (name, tokens) => {
  it("finds the rank of each token by its bytes at any offset, and of nothing else", async () => {
    const vocabulary = await readVocabulary(join(packageRoot, "dist", `${name}.vocabulary.br`));
    const ranks = new Map([...tokens].map((token, rank) => [Buffer.from(token ?? []).toString("hex"), rank]));
    const wrong = [...ranks].filter(([hex, rank]) => {
      const bytes = Buffer.from(`00${hex}00`, "hex");
      return hex !== "" && vocabulary.rankOf(bytes, 1, bytes.length - 1) !== rank;
    });
    expect(wrong).toEqual([]);
    const longer = [...ranks.keys()].map((hex) => `${hex}07`).filter((hex) => !ranks.has(hex));
    const found = longer.filter((hex) => {
      const bytes = Buffer.from(hex, "hex");
      return vocabulary.rankOf(bytes, 0, bytes.length) < Number.POSITIVE_INFINITY;
    });
    expect([ranks.size > 100_000, longer.length > 100_000, found]).toEqual([true, true, []]);
  });
});
