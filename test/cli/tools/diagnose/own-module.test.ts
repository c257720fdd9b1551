import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withOwnModule } from "../../../../src/cli/tools/diagnose/own-module.ts";
import type { Diagnosis } from "../../../../src/cli/tools/diagnose/report.ts";
import { temporaryDirectory } from "../../../support/store.ts";

const missing = {
  cause: { rule: "python-module", message: "ModuleNotFoundError: No module named 'shop'" },
  suggestions: [
    { id: "python-add-module", title: "Install it" },
    { id: "python-own-module", title: "If it is the project's own, put it on the path" },
  ],
} as unknown as Diagnosis;

describe("withOwnModule()", () => {
  it("suggests the path instead of an installation if the project has the module", () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "backend", "src", "shop"), { recursive: true });
    writeFileSync(join(directory, "backend/src/shop/__init__.py"), "");
    const { suggestions } = withOwnModule(missing, directory);
    expect(suggestions.map(({ id }) => id)).toEqual(["python-own-module"]);
    expect(suggestions[0]?.title).toContain("Put backend/src on the path");
  });

  it("changes nothing without the module, even beside files named like its folders", () => {
    const directory = temporaryDirectory();
    for (const file of ["src", "lib", "python"]) writeFileSync(join(directory, file), "");
    for (const folder of [directory, join(directory, "gone")])
      expect(withOwnModule(missing, folder)).toEqual(missing);
  });
});
