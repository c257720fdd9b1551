import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../src/api.ts";
import { packageRoot } from "../src/system/package.ts";
import { apiReference, problemsReference } from "./api-reference.ts";

writeFileSync(join(packageRoot, "docs/api.md"), apiReference(endpoints));
writeFileSync(join(packageRoot, "docs/problems.md"), problemsReference());
