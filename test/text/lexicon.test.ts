import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { finish } from "../../src/store/projection.ts";
import { inOtherWords, isStopWord } from "../../src/text/lexicon/lexicon.ts";
import { stemOf } from "../../src/text/stems.ts";
import { analyse } from "../../src/tools/agent-memory/analyse.ts";
import { MemoryProjection } from "../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../src/tools/agent-memory/searching/recall.ts";

const FOLDER = join(import.meta.dirname, "../../src/text/lexicon");
const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
const kinds: [names: string, things: string][] = Object.entries(read("kinds.json"));
const same: string[] = readdirSync(join(FOLDER, "same")).flatMap((file) => read(`same/${file}`));

const stems = (line: string) => line.split(" ").map((phrase) => phrase.split("-").map(stemOf).join(" "));
const others = (...words: string[]) =>
  [...inOtherWords(words)].map(({ name, askedBy, share }) => `${name} by ${askedBy}: ${share}`);

describe("the lexicon", () => {
  it("has well-formed lines of words and two-word phrases without repetitions", () => {
    const wrong = [...same, ...kinds.flat()].filter((line) => {
      const words = line.split(" ");
      return (
        !words.every((word) => /^[a-z0-9]+(-[a-z0-9]+)?$/.test(word)) ||
        words.some((word) => isStopWord(word) || word.split("-").every(isStopWord)) ||
        new Set(stems(line)).size < words.length
      );
    });
    expect(wrong).toEqual([]);
    expect(same.filter((line) => line.split(" ").length < 2)).toEqual([]);
    expect(
      [...same, ...kinds.map(([, things]) => things)].filter((line) => !/(^| )[^ -]+( |$)/.test(line)),
    ).toEqual([]);
  });

  it("has no duplicate line or kind", () => {
    const sets = same.map((line) => stems(line).sort().join());
    expect(sets.filter((set, at) => sets.indexOf(set) < at)).toEqual([]);
    const names = kinds.flatMap(([names]) => stems(names));
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  });

  it("is read from all of its files", () => {
    const unread = same.filter((line) =>
      line.split(" ").every((word) => others(...word.split("-")).length === 0),
    );
    expect(unread).toEqual([]);
  });

  it("expands a word to fewer than 128 others", () => {
    const most = [...same, ...kinds.flat()]
      .flatMap((line) => line.split(" "))
      .map((word) => others(...word.split("-")).length);
    expect(Math.max(...most)).toBeLessThan(128);
  });

  it("weighs things of a kind 1, others of the same kind 0.5, and phrases 2", () => {
    expect(others("bundler")).toContain("webpack by bundler: 1");
    expect(others("webpack")).toContain("vite by webpack: 0.5");
    expect(others("operating", "system")).toContain("linux by operating system: 2");
  });

  it("recognises phrases with stop words in them and around them", () => {
    expect(others("we", "sign", "up", "there")).toContain("registr by sign up: 2");
    expect(others("root", "of", "the", "cause")).toContain("postmortem by root cause: 2");
    expect(others("what", "is", "it")).toEqual([]);
  });
});

const FACTS = {
  migrations: "Flyway applies SQL scripts from db/changes.",
  mocking: "HTTP is intercepted with MSW, never by patching fetch.",
  rota: "The pager rota is kept by Ilse.",
  pii: "Never write e-mail addresses of customers into traces; GDPR.",
  mfa: "YubiKeys are mandatory for everybody in engineering.",
  dns: "Records are kept in Route53 and changed by Terraform only.",
  slides: "Decks are made with Reveal and kept in talks/.",
  diet: "The user is vegan.",
  sister: "The user's sister Noor lives in Lisbon.",
  money: "Amounts are integers in cents.",
  vacation: "Bram is on vacation until 4 May.",
  laptop: "The user works on a ThinkPad X1.",
  chip: "The board carries an ESP32.",
  style: "Keep replies short, without praise.",
  flags: "GrowthBook decides who sees what is unfinished.",
  warehouse: "Facts land in Snowflake at four in the morning.",
};

describe("recall by other words", () => {
  const projection = new MemoryProjection();
  for (const [id, content] of Object.entries(FACTS)) {
    const { document } = finish(analyse({ content, kind: "fact", tags: [] })).analysed;
    const times = { at: 0, createdAt: 0, updatedAt: 0, merges: 0 };
    finish(projection.put(id, { ...document, ...times }, content.length));
  }

  it.each<[question: string, fact: keyof typeof FACTS]>([
    ["how do I make a schema change", "migrations"],
    ["what do we use to stub network calls in tests", "mocking"],
    ["who is on call", "rota"],
    ["may personal data be logged", "pii"],
    ["do we need two-factor to log in", "mfa"],
    ["which nameservers has our domain", "dns"],
    ["which tool for presentations", "slides"],
    ["does he eat meat", "diet"],
    ["do I have any siblings", "sister"],
    ["how are prices represented", "money"],
    ["who has time off", "vacation"],
    ["which computer do I have", "laptop"],
    ["which microcontroller is it", "chip"],
    ["how verbose should answers be", "style"],
    ["which feature toggle service do we have", "flags"],
    ["where is the data warehouse", "warehouse"],
  ])("answers the question: %s", (q, fact) => {
    expect(recall(projection, { q, limit: 3, order: "relevance" }, 0)[0]?.id).toBe(fact);
  });
});
