import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotations } from "../../../../src/cli/tools/review/annotations.ts";
import type { Review } from "../../../../src/cli/tools/review/report.ts";

/** Parses a line as GitHub's runner does: actions/runner, src/Runner.Common/ActionCommand.cs, TryParseV2. */
function parsed(line: string) {
  const [, name, place = "", data = ""] = /^::(\S+) (.*?)::(.*)$/s.exec(line.trimStart()) ?? [];
  const unescaped = (text: string) =>
    text
      .replaceAll("%0D", "\r")
      .replaceAll("%0A", "\n")
      .replaceAll("%3A", ":")
      .replaceAll("%2C", ",")
      .replaceAll("%25", "%");
  const properties = place.split(",").map((pair) => {
    const equals = pair.indexOf("=");
    return [pair.slice(0, equals), unescaped(pair.slice(equals + 1))] as const;
  });
  return { name, properties: Object.fromEntries(properties), message: unescaped(data) };
}

const text = fc
  .array(
    fc.oneof(fc.string(), fc.constantFrom("\n", "\r", "::", ",", ":", "%", "\n::stop-commands::x\n", "##[")),
  )
  .map((parts) => parts.join(""));

describe("annotations()", () => {
  it("writes one line with one place and one message for any finding", () => {
    fc.assert(
      fc.property(text, text, text, text, text, (file, line, rule, message, suggestion) => {
        const finding = { severity: "error", file, line, column: 3, rule, message, suggestion };
        const made = annotations({ findings: [finding], summary: {} } as unknown as Review);
        expect(made).toHaveLength(1);
        expect(made[0]).not.toMatch(/[\r\n]/);
        expect(parsed(made[0] as string)).toEqual({
          name: "error",
          properties: { file, line, col: "3", title: rule },
          message: `${message} ${suggestion}`,
        });
      }),
    );
  });

  it("writes a notice for an unknown severity", () => {
    const finding = {
      severity: "stop-commands",
      file: "a",
      line: 1,
      column: 1,
      rule: "r",
      message: "m",
      suggestion: "",
    };
    expect(annotations({ findings: [finding], summary: {} } as unknown as Review)[0]).toMatch(
      /^::notice file=a,/,
    );
  });

  it("adds a line that is no command on languages of which little is read, whatever the server calls them", () => {
    const littleRead = [{ language: "Elixir\n::stop-commands::x", files: 1 }];
    const [line, ...others] = annotations({ findings: [], summary: { littleRead } } as unknown as Review);
    expect(line).toMatch(/^Read only for .*: Elixir%0A::stop-commands::x \(1 file\)$/);
    expect(others).toEqual([]);
  });
});
