import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../../src/system/package.ts";
import type { TaintFile } from "../../../../src/tools/code-review/taint/schema.ts";

const FOLDER = join(packageRoot, "src/tools/code-review/taint");

/** All files of `taint/` for one language, read from the folder, so that a file that nothing imports is noticed. */
export const TAINT_FILES: readonly TaintFile[] = readdirSync(FOLDER)
  .filter((name) => /^[a-z]+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as TaintFile);
