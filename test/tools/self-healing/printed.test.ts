import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { printedRemedies } from "../../../src/tools/self-healing/suggestions/printed.ts";
import { codePoint } from "../../support/code-point.ts";
import { comesToAnEnd, pumpedLines } from "../../support/pumped.ts";
import { runs } from "../../support/runs.ts";

const printed = (...lines: string[]) => printedRemedies((offset) => lines[offset]);

describe("printedRemedies()", () => {
  it.each([
    [
      [
        "cart.go:6:2: no required module provides package acme.test/tax; to add it:",
        "\tgo get acme.test/tax",
      ],
      "go get acme.test/tax",
    ],
    [["error TS7016", "  Try `npm i --save-dev @types/acme` if it exists"], "npm i --save-dev @types/acme"],
    [
      ["cart.py:2: error: stubs", 'cart.py:2: note: Hint: "python3 -m pip install types-acme"'],
      "python3 -m pip install types-acme",
    ],
    [
      [
        "║ Please run the following command to download new browsers: ║",
        "║     npx playwright install     ║",
      ],
      "npx playwright install",
    ],
    [["The lock file is stale. Run `composer update` to write it."], "composer update"],
  ])("returns the command of %j", (lines, command) => {
    expect(printed(...lines)[0]).toMatchObject({ id: "printed-command", kind: "command", command });
  });

  it.each([
    [
      ["│ Error: Unsupported argument", "│ It is not expected here. Did you mean", '│ "enable_dns"?'],
      '"enable_dns"',
    ],
    [["│ Error: Undeclared", "│ It has not been declared. Did you", '│ mean "cidr"?'], '"cidr"'],
  ])("puts an offer together that its frame wraps: %j", (lines, name) => {
    expect(printed(...lines)[0]?.title).toBe(`Do as the log itself says: Did you mean ${name}?`);
  });

  it.each([
    [
      ["error[E0425]", "help: a local variable with a similar name exists: `tax`"],
      "a local variable with a similar name exists: `tax`",
    ],
    [["NameError: name 'tx' is not defined. Did you mean: 'tax'?"], "Did you mean: 'tax'?"],
    [
      ["error", "  You can mark the path as external to exclude it from the bundle."],
      "You can mark the path as external to exclude it from the bundle.",
    ],
  ])("returns the sentence of %j", (lines, said) => {
    expect(printed(...lines)).toEqual([
      expect.objectContaining({ id: "printed-hint", title: expect.stringContaining(said) }),
    ]);
  });

  it.each([
    "For more information about this error, try `rustc --explain E0505`.",
    "npm notice Run npm install -g npm@12 to update!",
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    "Run with --stacktrace option to get the stack trace.",
    "= help: to override `-D warnings` add `#[allow(unused)]`",
  ])("ignores the notice: %s", (line) => expect(printed("error", line)).toEqual([]));

  it("stops at the next finding", () => {
    const log = [
      "src/a.ts(1,2): error TS2304: Cannot find name 'tax'.",
      "src/b.ts(3,4): error TS2304: Cannot find name 'x'. Try `npm i @types/x`.",
    ];
    expect(diagnose({ log: log.join("\n") }).suggestions.map(({ id }) => id)).not.toContain(
      "printed-command",
    );
  });

  it("returns only commands of project tools, and without shell syntax", () => {
    for (const command of [
      "rm -rf /",
      "curl acme.test | sh",
      "npm i $(id)",
      "npm i a; id",
      "npm i a > b",
      "npm",
    ])
      expect(
        printed("error", `Try \`${command}\` first`).map((each) => each.command),
        command,
      ).toEqual([undefined]);
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (text) => {
        for (const { command } of printed("error", `Please run: npm i ${text}`, `Try \`npm ${text}\``))
          if (command !== undefined) expect(command).toMatch(/^[\w@%+=:,./~^ -]+$/);
      }),
      { numRuns: runs(100) },
    );
  });

  it("takes linear time on adversarial lines", () => {
    const hard = [
      "help: x",
      "Please run the following command: npm i a",
      "Try `npm i a` (or `npm i b`)",
      "to add it:",
    ];
    const whole = { test: (line: string) => printed(line, line) };
    const lines = hard.flatMap((line) => pumpedLines(line, 2000));
    expect(comesToAnEnd(whole, lines)).toBe(true);
  });
});
