import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { TOOL_FAILURES } from "./tool-failures.ts";

describe("a failure of", () => {
  it.each(TOOL_FAILURES)("$name is understood", ({ run, log, cause, category, ecosystem, place, advice }) => {
    const found = diagnose({ log, command: run, exitCode: 1 });
    expect(found.cause?.message).toContain(cause);
    expect({ category: found.category, ecosystem: found.ecosystem }).toEqual({ category, ecosystem });
    const { file, line } = found.cause ?? {};
    expect(file && (line === undefined ? file : `${file}:${line}`)).toBe(place);
    const said = found.suggestions.flatMap(({ title, command, rationale }) => [
      title,
      command ?? "",
      rationale,
    ]);
    expect(said.join("\n")).toMatch(advice);
    expect(found.suggestions.map(({ command }) => command)).not.toContain(run);
  });
});
