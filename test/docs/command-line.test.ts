import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { requestsTo } from "../../src/testing/request.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { isMissing, startProgram } from "../support/programs.ts";
import { temporaryDirectory } from "../support/store.ts";
import { unsteady } from "./unsteady-server.ts";

const FROM = { address: "127.0.0.1", requestId: "req_test" };

const LANGUAGES = [
  { page: "command-line.md", fence: "js", program: [process.execPath, "acme.js"], said: "node acme.js" },
  {
    page: "command-line-python.md",
    fence: "python",
    program: ["python3", "acme.py"],
    said: "python3 acme.py",
  },
];

describe.each(LANGUAGES.filter(({ program: [name = ""] }) => !isMissing(name)))(
  "docs/extending/$page",
  (language) => {
    it("has a command line that signs people in, asks what their plan allows, and counts", async () => {
      const app = await startApp();
      const customer = await app.account("free");
      const acme = written(language, app.url);

      expect(await acme("deploy").end).toEqual([1, `Not signed in. Run: ${language.said} login\n`]);
      const login = acme("login");
      await decide(app, customer, "approve", await login.code());
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

    it("goes on after a limit, a restart and a lost answer, and otherwise says what went wrong", async () => {
      const app = await startApp();
      const customer = await app.account("pro");
      const between = await unsteady(app.url);
      const acme = written(language, between.url);

      const denied = acme("login");
      await decide(app, customer, "deny", await denied.code());
      expect(await denied.end).toEqual([1, expect.stringMatching(/\nThe request was denied\.\n$/)]);

      between.next("/auth/token", "502");
      between.next("/auth/token", "broken");
      const login = acme("login");
      await decide(app, customer, "approve", await login.code());
      expect(await login.end).toEqual([0, expect.stringMatching(/Signed in as .*\n$/)]);

      between.next("/api/v1/entitlements/resolve", "limited for a second");
      between.next("/api/v1/track", "lost");
      expect(await acme("deploy").end).toEqual([0, "Deployed.\n1 this month.\n"]);

      between.next("/api/v1/track", "limited for an hour");
      expect(await acme("deploy").end).toEqual([0, "Deployed.\nNot counted: Try again in 3600 s.\n"]);
      between.next("/api/v1/entitlements/resolve", "limited for an hour");
      expect(await acme("deploy").end).toEqual([1, "Try again in 3600 s.\n"]);

      const { refresh_token } = JSON.parse(readFileSync(acme.kept, "utf8"));
      const revoked = new URLSearchParams({ token: refresh_token, client_id: "acme" });
      await fetch(`${app.url}/auth/revoke`, { method: "POST", body: revoked });
      expect(await acme("deploy").end).toEqual([1, `Not signed in any more. Run: ${language.said} login\n`]);
      expect(between.mishaps).toEqual([]);
    });
  },
);

/** Writes the page's files, and returns a function that runs them as the page says to, at home in their folder. */
function written({ page, fence, program, said: spoken }: (typeof LANGUAGES)[number], server: string) {
  const text = readFileSync(join(packageRoot, "docs/extending", page), "utf8");
  const files = new RegExp(`^\`([\\w.]+)\`:\n\n\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [, name = "", code = ""] of text.matchAll(files)) writeFileSync(join(folder, name), code);
  const run = (command: string) => {
    expect(text).toContain(`\n${spoken} ${command}\n`);
    const env = { HOME: folder, ACME_SERVER: server };
    const { child, said } = startProgram([...program, command], { cwd: folder, env });
    const code = () => /code: ([A-Z]{4}-[A-Z]{4})/.exec(said())?.[1] ?? "";
    return {
      /** Waits for the code that people compare. */
      code: () => expect.poll(code, { timeout: 20_000 }).not.toBe("").then(code),
      end: once(child, "close").then(([code]) => [code as number, said()] as const),
    };
  };
  return Object.assign(run, { kept: join(folder, ".acme.json") });
}

async function decide(
  app: TestApp,
  customer: { accountId: string; token: string },
  decision: "approve" | "deny",
  userCode: string,
) {
  const { body } = await requestsTo(app.url, customer.token)("GET", "/api/v1/account");
  const approver = { accountId: customer.accountId, userId: body.user.id, scopes: body.credential.scopes };
  await app.app.services.devices.decide(userCode, decision, { ...approver, ...FROM });
}
