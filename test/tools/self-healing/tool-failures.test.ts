import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { REPRODUCED } from "./logs/reproduced.ts";
import { TOOL_FAILURES } from "./logs/tool-failures.ts";
import { PASTED_LISTS } from "./pasted/lists.ts";
import { PASTED_REASONS } from "./pasted/reasons.ts";
import { PASTED_SERVICES } from "./pasted/services.ts";
import { AS_RUN } from "./tools/as-run.ts";
import { BUILDS } from "./tools/builds.ts";
import { BURIED } from "./tools/buried.ts";
import { COMPILERS } from "./tools/compilers.ts";
import { EVERYDAY } from "./tools/everyday.ts";
import { FIRST_SIGHT } from "./tools/first-sight.ts";
import { INTERPRETERS } from "./tools/interpreters.ts";
import { KUBERNETES } from "./tools/kubernetes.ts";
import { LESSER_TOOLS } from "./tools/lesser-tools.ts";
import { LINTERS } from "./tools/linters.ts";
import { NODE_TOOLS } from "./tools/node-tools.ts";
import { PLATFORMS } from "./tools/platforms.ts";
import { RARER_TOOLS } from "./tools/rarer-tools.ts";
import { RELEASES } from "./tools/releases.ts";
import { RUBY } from "./tools/ruby.ts";
import { SCANNERS } from "./tools/scanners.ts";
import { SECOND_SIGHT } from "./tools/second-sight.ts";
import { SERVICES } from "./tools/services.ts";
import { THIRD_SIGHT } from "./tools/third-sight.ts";
import { WORKSPACES } from "./tools/workspaces.ts";

describe("diagnose()", () => {
  it.each([
    ...TOOL_FAILURES,
    ...COMPILERS,
    ...LINTERS,
    ...PASTED_REASONS,
    ...PASTED_LISTS,
    ...PASTED_SERVICES,
    ...PLATFORMS,
    ...EVERYDAY,
    ...KUBERNETES,
    ...BUILDS,
    ...INTERPRETERS,
    ...RUBY,
    ...NODE_TOOLS,
    ...SERVICES,
    ...SCANNERS,
    ...AS_RUN,
    ...RARER_TOOLS,
    ...RELEASES,
    ...BURIED,
    ...WORKSPACES,
    ...LESSER_TOOLS,
    ...FIRST_SIGHT,
    ...SECOND_SIGHT,
    ...THIRD_SIGHT,
    ...REPRODUCED,
  ])("finds cause, place and advice for a failure of $name", (failure) => {
    const { run, log, exitCode = 1, cause, category, ecosystem, place, advice, never } = failure;
    const found = diagnose({ log, command: run, exitCode });
    expect(found.cause?.message).toContain(cause);
    expect(found).toMatchObject({ category, ...(ecosystem && { ecosystem }) });
    const { file, line } = found.cause ?? {};
    expect(file && (line === undefined ? file : `${file}:${line}`)).toBe(place);
    const said = found.suggestions
      .flatMap(({ title, command, rationale }) => [title, command ?? "", rationale])
      .join("\n");
    expect(said).toMatch(advice);
    if (never) expect(said).not.toMatch(never);
    expect(found.suggestions.map(({ command }) => command)).not.toContain(run);
  });
});
