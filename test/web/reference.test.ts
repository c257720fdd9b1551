import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { htmlOf } from "../../src/web/layout.tsx";
import type { ApiDocument } from "../../src/web/reference/document.ts";
import { operationsOf } from "../../src/web/reference/operations.ts";
import { OperationPage } from "../../src/web/reference/pages.tsx";
import { samplesOf } from "../../src/web/reference/samples.ts";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { type Visitor, visitor } from "./support/visitor.ts";

const run = promisify(execFile);

async function signedIn(app: TestApp, role: string): Promise<Visitor> {
  const { body } = await app.request("POST", "/api/v1/users", {
    body: { email: `${role}@example.com`, role },
  });
  const browser = visitor(app.url);
  await browser.send(await browser.get(body.signInLink), "/sign-in");
  return browser;
}

describe("the API reference", () => {
  it("has a page for every operation, readable without signing in", async () => {
    const app = await startApp();
    const browser = visitor(app.url);
    const document = app.app.openApi() as unknown as ApiDocument;
    const operations = operationsOf(document);
    const { html } = await browser.get("/docs");
    expect(operations.length).toBeGreaterThan(90);
    const shown = { document, operations, visit: { formToken: "" }, baseUrl: app.url };
    for (const listed of operations) {
      const { id, operation, path } = listed;
      expect(html).toContain(`href="/docs/${id}"`);
      const page = htmlOf(OperationPage({ ...shown, listed }), "Acme");
      expect(page, id).toContain(path);
      expect(page, id).not.toMatch(/>undefined|\[object/);
      expect(page.length, id).toBeLessThan(200_000);
      expect(page.includes("Needs no credential"), id).toBe(operation["x-scope"] === undefined);
    }
    expect((await browser.get("/docs/keys_list")).text).toContain("/api/v1/keys");
    expect((await browser.get("/docs/nothing")).status).toBe(404);
  });

  it("finds operations by any of their words", async () => {
    const browser = visitor((await startApp()).url);
    const { html } = await browser.get("/docs?query=rotate+POST");
    expect([...html.matchAll(/href="\/docs\/(\w+)"/g)].map(([, id]) => id)).toContain("keys_rotate");
    expect(html).not.toContain('href="/docs/usage_track"');
    expect((await browser.get("/docs?query=%3Cb%3E")).text).toContain("Nothing is called that.");
  });

  it("shows the members of a body with type and whether they are required, and the scope", async () => {
    const { text } = await visitor((await startApp()).url).get("/docs/keys_create");
    expect(text).toMatch(/name string · required/);
    expect(text).toContain("Scope admin");
  });

  it("sends a tried request as the user, and shows the answer", async () => {
    const app = await startApp();
    const browser = await signedIn(app, "member");
    const page = await browser.get("/docs/usage_track");
    const sent = await browser.send(page, "/docs/usage_track#try", {
      body: '{"type":"api_calls","count":3}',
      "parameter-X-Project-Id": "tried",
    });
    expect(sent.status).toBe(200);
    expect(sent.text).toContain('"recorded": true');
    const { body } = await app.request("GET", "/api/v1/usage?projectId=tried");
    expect(body.totals).toMatchObject({ api_calls: 3 });
  });

  it("shows refusals of the API: a missing scope, invalid input, a missing parameter", async () => {
    const app = await startApp();
    const browser = await signedIn(app, "member");
    const keys = await browser.get("/docs/keys_list");
    expect((await browser.send(keys, "/docs/keys_list#try")).text).toMatch(/403 .*insufficient_scope/);
    const track = await browser.get("/docs/usage_track");
    const wrong = await browser.send(track, "/docs/usage_track#try", { body: '{"type":"x"}' });
    expect(wrong.text).toMatch(/400 .*"path": "type"/);
    const remove = await browser.get("/docs/keys_delete");
    expect((await browser.send(remove, "/docs/keys_delete#try")).text).toContain("Say which: keyId");
  });

  it("counts tried requests in the limits of the API", async () => {
    const clock = fakeClock();
    const app = await startApp({ plan: "free", clock });
    const browser = await signedIn(app, "member");
    const left = async () => {
      const { body } = await app.request("GET", "/api/v1/usage/bounds");
      return body.windows[1].remaining as number;
    };
    const before = await left();
    const page = await browser.get("/docs/entitlements_resolve");
    for (let index = 0; index < 3; index++) {
      await browser.send(page, "/docs/entitlements_resolve#try");
      clock.advance(2000);
    }
    expect(before - (await left())).toBe(3);
  });

  it("refuses to try requests of strangers, of other sites' forms, or outside the API", async () => {
    const app = await startApp();
    const stranger = visitor(app.url);
    expect((await stranger.get("/docs/usage_track")).html).not.toContain("<textarea");
    const form = "body=%7B%22type%22%3A%22api_calls%22%7D";
    expect((await stranger.post("/docs/usage_track", form)).status).toBe(403);
    const browser = await signedIn(app, "member");
    expect((await browser.post("/docs/usage_track", form)).status).toBe(403);
    const page = await browser.get("/docs/usage_track");
    expect((await browser.send(page, "/docs/usage_track#try", { form_token: "x" })).status).toBe(403);
    expect((await browser.get("/docs/auth_device_code")).html).not.toContain('id="try"');
    const { body } = await app.request("GET", "/api/v1/usage");
    expect(Object.values(body.totals)).toEqual([0, 0, 0, 0, 0]);
  });

  it("encodes path parameters, so that they cannot lead to another path", async () => {
    const app = await startApp();
    const browser = await signedIn(app, "admin");
    const page = await browser.get("/docs/keys_show");
    const sent = await browser.send(page, "/docs/keys_show#try", { "parameter-keyId": "../users?x=1#" });
    expect(sent.text).toMatch(/404 .*not_found/);
  });

  it("has code samples that run", async () => {
    const app = await startApp();
    const track = operationsOf(app.app.openApi() as unknown as ApiDocument).find(
      ({ id }) => id === "usage_track",
    );
    if (!track) throw new Error("there is no usage_track");
    const commands: Record<string, [string, string[]]> = {
      curl: ["sh", ["-c"]],
      JavaScript: [process.execPath, ["--input-type=module", "-e"]],
      Python: ["python3", ["-c"]],
    };
    let counted = 0;
    for (const { language, code } of samplesOf(track, app.url)) {
      const [command, given] = commands[language] ?? ["", []];
      const present = await run(language === "curl" ? "curl" : command, ["--version"]).catch(() => undefined);
      if (!present) {
        process.stderr.write(`The sample in ${language} is not run: there is no ${language} here.\n`);
        continue;
      }
      const { stdout } = await run(command, [...given, code], {
        env: { ...process.env, TOOL_TOKEN: OWNER_KEY },
      });
      expect(stdout, language).toContain('"recorded":true');
      counted++;
    }
    const { body } = await app.request("GET", "/api/v1/usage");
    expect(body.totals).toMatchObject({ agents_invoked: counted });
  });
});
