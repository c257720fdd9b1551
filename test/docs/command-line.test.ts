import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { requestsTo } from "../../src/testing/request.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startProgram } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";

const page = readFileSync(join(packageRoot, "docs/extending/command-line.md"), "utf8");

describe("docs/extending/command-line.md", () => {
  it("has a command line that signs people in, asks what their plan allows, and counts", async () => {
    const app = await startApp();
    const customer = await app.account("free");
    const acme = written(app);

    expect(await acme("deploy").end).toEqual([1, "Not signed in. Run: node acme.js login\n"]);
    const login = acme("login");
    await approve(app, customer, await login.until(/code: ([A-Z]{4}-[A-Z]{4})/));
    const [code, said] = await login.end;
    expect(code, said).toBe(0);
    expect(said).toMatch(/Signed in as owner-1@example\.test, plan Free\.\n$/);
    expect(statSync(acme.kept).mode & 0o777).toBe(0o600);

    expect(await acme("deploy").end).toEqual([1, "deploy needs the plan Pro; this account is on Free.\n"]);
    await app.request("PATCH", `/api/v1/accounts/${customer.accountId}`, { body: { plan: "pro" } });
    expect(await acme("deploy").end).toEqual([0, "Deployed.\n1 this month.\n"]);
    const usage = await requestsTo(app.url, customer.token)("GET", "/api/v1/usage?groupBy=tool");
    expect(JSON.stringify(usage.body.groups)).toContain('"deploy"');

    const before = JSON.parse(readFileSync(acme.kept, "utf8"));
    writeFileSync(acme.kept, JSON.stringify({ ...before, access_token: "tat_over" }));
    expect(await acme("deploy").end).toEqual([0, "Deployed.\n2 this month.\n"]);
    const after = JSON.parse(readFileSync(acme.kept, "utf8"));
    expect(after.refresh_token).not.toBe(before.refresh_token);

    expect(await acme("logout").end).toEqual([0, "Signed out.\n"]);
    const gone = await requestsTo(app.url, after.access_token)("GET", "/api/v1/account");
    expect(gone.status).toBe(401);
  });
});

/** Writes the page's files, and returns a function that runs them as the page says to, at home in their folder. */
function written(app: TestApp) {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [, name = "", code = ""] of page.matchAll(/^`([\w.]+)`:\n\n```js\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), code);
  const run = (command: string) => {
    expect(page).toContain(`\nnode acme.js ${command}\n`);
    const env = { HOME: folder, ACME_SERVER: app.url };
    const { child, said } = startProgram([process.execPath, "acme.js", command], { cwd: folder, env });
    return {
      /** Waits for a text, and returns what its group matches. */
      until: (text: RegExp) =>
        expect
          .poll(() => text.exec(said())?.[1] ?? "", { timeout: 20_000 })
          .not.toBe("")
          .then(() => text.exec(said())?.[1] ?? ""),
      end: once(child, "close").then(([code]) => [code as number, said()] as const),
    };
  };
  return Object.assign(run, { kept: join(folder, ".acme.json") });
}

async function approve(app: TestApp, customer: { accountId: string; token: string }, userCode: string) {
  const { body } = await requestsTo(app.url, customer.token)("GET", "/api/v1/account");
  const approver = { accountId: customer.accountId, userId: body.user.id, scopes: body.credential.scopes };
  const from = { address: "127.0.0.1", requestId: "req_test" };
  await app.app.services.devices.decide(userCode, "approve", { ...approver, ...from });
}
