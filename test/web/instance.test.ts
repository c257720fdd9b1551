import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";

const PATH = "/server/instance";

it("the instance page shows the server's state, and rotates the signing key with an audit log entry", async () => {
  const app = await startApp();
  const operator = await browserOn(app);
  expect((await operator.get("/")).text).toContain("1 account. Who used most yesterday:");
  const page = await operator.get(PATH);
  expect(page.text).toMatch(/Version \d+\.\d+\.\d+ Up \d+ m?s Store a directory of .* Jobs 0 wait, 0 run/);
  expect(page.text).toContain("Sign-up by invitation alone");
  const [before] = await app.app.services.signingKeys.list();
  await operator.send(page, PATH, { do: "rotate" });
  const [now, ...older] = await app.app.services.signingKeys.list();
  expect(now).toMatchObject({ isCurrent: true });
  expect(older).toEqual([{ ...before, isCurrent: false }]);
  const log = await app.request("GET", "/api/v1/audit-log?accountId=instance&action=signing_key.rotated");
  expect(log.body.items).toMatchObject([
    { actor: { name: "owner@localhost" }, before: { kid: before?.kid }, after: { kid: now?.kid } },
  ]);
});

it("the instance page lists self-registered clients, and revokes one", async () => {
  const clock = fakeClock();
  const app = await startApp({ clock });
  const { registrations } = app.app.services;
  const client = { client_name: "Editor", redirect_uris: ["https://editor.example/back"] };
  const made = await registrations.register(client, { address: "", requestId: "" });
  const operator = await browserOn(app);
  const page = await operator.get(PATH);
  expect(page.text).toContain(`Editor ${made.client_id} https://editor.example/back`);
  // It cannot be undone, so it takes two steps.
  expect(page.html).toMatch(
    /<summary>Revoke<span[^>]*> Editor<\/span><\/summary>.*It can ask nobody any more, and everybody/s,
  );
  const form = { do: "revoke-client", client: made.client_id };
  const done = await operator.send(page, PATH, form);
  expect((await operator.get(done.location ?? "")).text).toContain("Editor is revoked");
  expect(await registrations.find(made.client_id)).toBeUndefined();
  clock.advance(2000);
  expect((await operator.send(page, PATH, form)).status).toBe(404);
  const log = await app.request("GET", "/api/v1/audit-log?accountId=instance&action=client.revoked");
  expect(log.body.items).toMatchObject([{ target: { name: "Editor" }, actor: { name: "owner@localhost" } }]);
});

it("the instance page is hidden from non-operators, whose forms are refused", async () => {
  const app = await startApp();
  const { browser } = await memberOn(app, "admin@example.com", "admin");
  expect((await browser.get(PATH)).text).not.toContain("Version");
  const token = /name="form_token" value="([^"]*)"/.exec((await browser.get("/")).html)?.[1] ?? "";
  const form = new URLSearchParams({ form_token: token, do: "rotate" });
  expect((await browser.post(PATH, form.toString())).status).toBe(403);
  expect(await app.app.services.signingKeys.list()).toHaveLength(1);
});
