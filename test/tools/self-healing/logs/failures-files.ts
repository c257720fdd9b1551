import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../../src/system/package.ts";
import type { FailuresFile } from "../../../../src/tools/self-healing/failures/schema.ts";

const FOLDER = join(packageRoot, "src/tools/self-healing/failures");

/** All files of `failures/`, read from the folder, so that a file that nothing imports is noticed. */
export const FAILURES_FILES: readonly { name: string; file: FailuresFile }[] = readdirSync(FOLDER, {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"))
  .map((name) => ({ name, file: JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as FailuresFile }));
