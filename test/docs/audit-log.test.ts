import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AUDIT_ACTIONS } from "../../src/cli/administration/audit-actions.ts";
import { packageRoot } from "../../src/system/package.ts";

const FOLDERS = ["accounts", "alerts", "metering", "oauth", "server"];
/** Names of endpoints and of alerts look like actions. */
const OTHERS = /(?:contract|alerts\/(?:alert|lines))\.ts$/;
const ACTION =
  /"((?:account|alert_mail|client|device|key|person|project|session|signing_key|user|webhook)\.[a-z_]+)"/g;
const NO_ACTIONS = ["account.show", "webhook.test", "webhook.disabled"];

it("docs/audit-log.md explains every action that the sources note", () => {
  const files = FOLDERS.flatMap((folder) =>
    (readdirSync(join(packageRoot, "src", folder), { recursive: true }) as string[])
      .map((name) => join(packageRoot, "src", folder, name))
      .filter((name) => name.endsWith(".ts") && !OTHERS.test(name)),
  );
  const noted = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(ACTION)].map(([, name]) => name),
  );
  const page = readFileSync(join(packageRoot, "docs/audit-log.md"), "utf8");
  const explained = new Set([...page.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name]) => name));
  expect(noted).toContain("user.invited");
  expect([...new Set(noted)].filter((name) => !explained.has(name)).sort()).toEqual([...NO_ACTIONS].sort());
});

it("the actions that the command line suggests are those of docs/audit-log.md", () => {
  const page = readFileSync(join(packageRoot, "docs/audit-log.md"), "utf8");
  const table = page.slice(page.indexOf("## Actions"), page.indexOf("## How much"));
  const explained = [...table.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name]) => name);
  expect([...AUDIT_ACTIONS].toSorted()).toEqual([...new Set(explained)].toSorted());
});
