import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../../src/system/package.ts";
import { failuresSchema } from "../../../src/tools/self-healing/failures/schema.ts";
import { FAILURES_FILES } from "./logs/failures-files.ts";

it.each(FAILURES_FILES)("$name conforms to its schema", ({ name, file }) => {
  expect(failuresSchema.safeParse(file).error?.issues ?? []).toEqual([]);
  const up = name.includes("/") ? ".." : ".";
  expect(file.$schema).toBe(`${up}/failures.schema.json`);
  for (const { id, signatures, categories } of file.suggestions ?? [])
    expect(signatures ?? categories, id).toBeDefined();
});

it("files.ts imports each file of failures", () => {
  const imports = readFileSync(join(packageRoot, "src/tools/self-healing/failures/files.ts"), "utf8");
  for (const { name } of FAILURES_FILES) expect(imports).toContain(`"./${name}"`);
});
