import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../src/api.ts";
import { packageRoot } from "../src/system/package.ts";
import { alertsReference } from "./alerts-reference.ts";
import { apiReference, problemsReference } from "./api-reference.ts";
import { cliReference } from "./cli-reference.ts";
import { DATA_SCHEMAS } from "./data-schemas.ts";
import { repeatableRoutes } from "./repeatable-routes.ts";
import { reviewRulesReference } from "./review-rules.ts";

writeFileSync(join(packageRoot, "docs/api.md"), apiReference(endpoints));
writeFileSync(join(packageRoot, "src/client/repeatable-routes.ts"), repeatableRoutes(endpoints));
writeFileSync(join(packageRoot, "docs/problems.md"), problemsReference());
writeFileSync(join(packageRoot, "docs/cli.md"), await cliReference());
writeFileSync(join(packageRoot, "docs/alerts.md"), alertsReference());
writeFileSync(join(packageRoot, "docs/code-review-rules.md"), reviewRulesReference());
for (const [path, schema] of Object.entries(DATA_SCHEMAS)) writeFileSync(join(packageRoot, path), schema);
