import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lex } from "../../../src/tools/code-review/lexer/lexer.ts";
import { lexisOf } from "../../../src/tools/code-review/lexer/lexis.ts";
import { review } from "../../../src/tools/code-review/review.ts";
import { TOKEN_FORMATS } from "../../../src/tools/code-review/secrets/token-formats.ts";
import { added } from "./cases.ts";

const SOURCE = join(import.meta.dirname, "../../../src/tools/code-review");
const LENGTH = 16_000;
/** Reading each character 2,000 times takes a third of it. */
const MOST_MS = 500;

/** Processor time, which a busy machine does not lengthen. */
function spent(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Every regular expression that is written in the tool's source, read by its own lexer. */
function written(): RegExp[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const found = files.flatMap(
    (file) => lex(readFileSync(join(SOURCE, file), "utf8"), lexisOf(file, "javascript")).tokens,
  );
  return found.flatMap(({ kind, text }) => {
    if (kind !== "regex") return [];
    const end = text.lastIndexOf("/");
    return [new RegExp(text.slice(1, end), text.slice(end + 1).replace("y", ""))];
  });
}

/** Long lines that a pattern nearly matches over and over: made of its own letters, and of what repeats in code. */
function hard({ source }: RegExp): string[] {
  const letters = source
    .replace(/\\[bsdwSDWB]|[\\^$*+?.()|[\]{}:=!<>]|\d,?/g, " ")
    .replace(/ {1,99}/g, " ")
    .slice(0, 60);
  const words = letters.split(" ").filter((word) => word.length > 1);
  const pieces = [
    letters,
    words[0] ?? "a",
    `${words[0] ?? "a"} `,
    `${words[1] ?? "b"} =`,
    "a",
    " ",
    "a ",
    '"',
    "a.",
    "-",
    "A1",
    "${",
    "\\",
    "(a,",
    "\t\n",
  ];
  return [...new Set(pieces)].map((piece) => piece.repeat(Math.ceil(LENGTH / Math.max(1, piece.length))));
}

describe("time", () => {
  it("of every regular expression grows with the length of the line, on lines made to be hard", () => {
    const patterns = [...written(), ...TOKEN_FORMATS.map(({ rest }) => new RegExp(rest.source))];
    expect(patterns.length).toBeGreaterThan(400);
    const slow = patterns.filter((pattern) =>
      hard(pattern).some((line) => spent(() => pattern.test(line)) > MOST_MS),
    );
    expect(slow.map(String)).toEqual([]);
  }, 120_000);

  it.each(["a.ts", "a.py", "a.rb", "a.php", "a.c", "a.sh", "a.yml", "a.html", "a.txt", "Dockerfile"])(
    "of a review of one long line in %s is bounded",
    (path) => {
      const lines = [
        "a = b + ",
        "f(",
        '"a" + ',
        "x.y.",
        "password=",
        "SELECT a FROM b ",
        "<a href=",
        "`${",
        "{a: [",
        "curl ",
      ];
      for (const piece of lines) {
        const diff = added(path, piece.repeat(LENGTH / piece.length));
        expect(
          spent(() => review({ diff })),
          piece,
        ).toBeLessThan(4 * MOST_MS);
      }
    },
    120_000,
  );
});

it("nothing that can stand in a diff makes a review fail", () => {
  const piece = fc.constantFrom(
    ...'eval( exec(`${ req.query } innerHTML = SELECT from where \' " \\ { [ ( ) ] => , : ; = await crypto.createHash md5 password AKIA os.system( %s f" import as require #{ <% %> /* // # verify = False tls rsa GenerateKey 1024 .append( \n \n\t catch (e) {} debugger it.only('.split(
      " ",
    ),
    "\n",
    " ",
  );
  const path = fc.constantFrom(
    "a.ts",
    "a.py",
    "a.go",
    "A.java",
    "a.rb",
    "a.php",
    "a.c",
    "a.cpp",
    "A.cs",
    "a.rs",
    "a.sh",
    "a.yml",
    "Dockerfile",
    "a.vue",
    "a.swift",
    "a.txt",
    "a.kt",
    "a.tf",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ maxLength: 6 })), { maxLength: 80 }),
      path,
      (pieces, path) => {
        const text = pieces.join(" ").replace(/\r/g, "");
        const lines = text.split("\n");
        for (const { line, column } of review({ diff: added(path, text) }).findings) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] as string).length + 1);
        }
      },
    ),
    { numRuns: 400 },
  );
});
