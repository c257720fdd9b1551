import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES, ECOSYSTEMS } from "../../../src/tools/self-healing/categories.ts";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { SIGNATURES } from "../../../src/tools/self-healing/signatures/catalogue.ts";
import { adviceFor } from "../../../src/tools/self-healing/suggestions/advise.ts";
import { SUGGESTIONS } from "../../../src/tools/self-healing/suggestions/catalogue.ts";
import { toolsIn } from "../../../src/tools/self-healing/suggestions/package-managers.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";
import { FAILURES_FILES } from "./logs/failures-files.ts";

const commands = (log: string, more = {}) =>
  diagnose({ log, ...more }).suggestions.map(({ command }) => command);

const NOTHING_KNOWN = { signature: "", values: {}, command: undefined, sample: "", printed: [] };

const entries = FAILURES_FILES.flatMap(({ name, file }) =>
  (file.suggestions ?? []).map((entry) => ({ entry, name: `${name}: ${entry.id}` })),
);

describe("the suggestions", () => {
  it.each(entries)("$name is given for its example", ({ entry: { id, command, example } }) => {
    const log = { log: `${example.log}\n`, command: example.run, exitCode: 1 };
    const given = diagnose(log).suggestions.find((each) => each.id === id);
    expect(given).toBeDefined();
    expect(given?.command).toBe(example.gives ?? command);
  });

  it("have unique ids and name existing signatures", () => {
    const ids = SUGGESTIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(entries.length).toBe(ids.length);
    const known = new Set(SIGNATURES.map(({ id }) => id).concat("finding", "error-level", "last-line"));
    for (const { id, signatures = [] } of SUGGESTIONS)
      expect(
        signatures.filter((signature) => !known.has(signature)),
        id,
      ).toEqual([]);
  });

  it("exist for each category in each ecosystem, with a rationale", () => {
    for (const category of CATEGORIES) {
      for (const ecosystem of ECOSYSTEMS) {
        const advice = adviceFor({
          ...NOTHING_KNOWN,
          category,
          ecosystem,
          values: { unplaced: "failed", message: "failed" },
        });
        expect(advice.length, `${category} ${ecosystem}`).toBeGreaterThanOrEqual(1);
        for (const { rationale } of advice) expect(rationale.length).toBeGreaterThan(20);
      }
    }
  });

  it("begin with the one that fits most closely", () => {
    const [first] = diagnose({
      log: "npm error notarget No matching version found for express@99.1.0.\n",
    }).suggestions;
    expect(first).toMatchObject({ id: "node-existing-version", command: "npm view express versions" });
  });

  it("use the commands of the project's package manager", () => {
    const log = "Error: Cannot find module 'left-pad'\n";
    expect(commands(log)[0]).toBe("npm install left-pad");
    expect(commands(log, { command: "pnpm build" })[0]).toBe("pnpm add left-pad");
    expect(commands(`yarn run v1.22.19\n${log}`)[0]).toBe("yarn add left-pad");
    const python = "ModuleNotFoundError: No module named 'flask'\n";
    expect(commands(python)[0]).toBe("pip install flask");
    expect(commands(python, { command: "poetry run pytest" })[0]).toBe("poetry add flask");
    expect(toolsIn("uv run pytest", "python").lock).toBe("uv lock");
  });

  it("never put shell syntax from a log into a command", () => {
    const log = "Error: Cannot find module 'a;rm -rf ~'\nError: Cannot find module '$(id)'\n";
    for (const command of commands(log)) expect(command ?? "").not.toMatch(/rm -rf ~|\$\(id\)/);
    const value = fc.string({ unit: codePoint, minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(...SUGGESTIONS.filter(({ command }) => command?.includes("{"))),
        (text, one) => {
          const names = [...(one.command as string).matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, text]);
          const { categories = [], ecosystems = [], signatures = [] } = one;
          const failure = {
            ...NOTHING_KNOWN,
            category: categories[0] ?? "unknown",
            ecosystem: ecosystems[0] ?? "unknown",
            signature: signatures[0] ?? "",
            values: Object.fromEntries(names),
          } as const;
          const command = adviceFor(failure).find(({ id }) => id === one.id)?.command;
          if (command !== undefined) expect(text).toMatch(/^[\w@%+=:,./~^][\w@%+=:,./~^#-]*$/);
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it.each([
    [' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"', "node", "pnpm install"],
    ["➤ YN0028: │ The lockfile would have been modified by this install", "node", "yarn install"],
    ["error: lockfile had changes\nBun v1.1.30 (Linux x64)", "node", "bun install"],
    ["npm error code ERESOLVE\nnpm error while resolving: pnpm@9", "node", "npm install"],
    ["  × No solution found:\n  ╰─▶ Because a depends on b", "python", "uv sync"],
    ["poetry.lock is out of date", "python", "poetry install"],
    ["pnpm build\nnpm notice New major version of npm available", "node", "pnpm install"],
    ["ERROR: No matching distribution found for a", "python", "pip install -r requirements.txt"],
  ] as const)("recognise the package manager that wrote %j", (log, ecosystem, install) => {
    expect(toolsIn(log, ecosystem).install).toBe(install);
  });

  it("have no command if the log lacks a value for it", () => {
    const [first] = adviceFor({
      ...NOTHING_KNOWN,
      category: "dependency_resolution",
      ecosystem: "node",
      signature: "node-package-not-found",
    });
    expect(first).toMatchObject({ id: "node-add-package" });
    expect(first).not.toHaveProperty("command");
  });
});
