import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { startMailServer } from "../support/services/mail-server.ts";
import { temporaryDirectory } from "../support/store.ts";
import { anAlert } from "./fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function open(plans: object = {}) {
  const plansFile = join(temporaryDirectory(), "plans.json");
  writeFileSync(plansFile, JSON.stringify(plans));
  const mail = await startMailServer();
  const clock = fakeClock();
  const owner = { email: "owner@plane.test", apiKey: "owner-key-for-tests-0123456789abcdef" };
  const app = await startApp({
    clock,
    owner,
    plansFile,
    mail: { smtpUrl: mail.url, from: "plane@plane.test" },
  });
  const { account } = (await app.request("GET", "/api/v1/account")).body;
  const { alerts, post } = app.app.services;
  /** Advances the clock and returns the letters that were sent. */
  async function after(ms: number) {
    for (let passed = 0; passed < ms; passed += 30_000) {
      clock.advance(Math.min(30_000, ms));
      await alerts.idle();
      await post?.idle();
    }
    return mail.received;
  }
  return { app, accountId: account.id, sink: alerts.sink, after };
}

it("1,000 alerts are mailed in few letters, with a summary and a link to the page", async () => {
  const { accountId, sink, after, app } = await open();
  for (let index = 0; index < 1000; index++) sink.raise(anAlert(accountId, `s${index}`));
  const first = await after(MINUTE);
  expect(first).toHaveLength(1);
  expect(first[0]).toMatchObject({ to: "owner@plane.test", from: "plane@plane.test" });
  expect(first[0]?.text).toContain("101 alerts of ");
  expect(first[0]?.text).toContain("and 51 more.");
  expect(first[0]?.text).toContain("A new error in project default: TypeError");
  expect(first[0]?.text).toContain(`${app.url}/alerts`);
  expect((await after(HOUR)).length).toBe(1);
  for (let minute = 0; minute < 60; minute++) {
    sink.raise(anAlert(accountId, `later ${minute}`));
    await after(MINUTE);
  }
  expect((await after(0)).length).toBeLessThanOrEqual(1 + 6 + 1);
});

it("a letter about a limit says where to get a larger plan, and one about something else does not", async () => {
  const { accountId, sink, after } = await open({ upgradeUrl: "https://up.example/plans" });
  sink.raise(anAlert(accountId, "a"));
  const [other] = await after(MINUTE);
  expect(other?.text).not.toContain("up.example");
  const data = { window: "hour" as const, limit: 100, used: 100, resetsAt: "2026-03-01T13:00:00.000Z" };
  sink.raise({ type: "limit.reached", accountId, subject: "limit/hour", data });
  const [, letter] = await after(HOUR);
  expect(letter?.text).toContain("All 100 requests of this hour are used: more are refused");
  expect(letter?.text).toContain("\nA larger plan has more room: https://up.example/plans\n");
});

it("an alert letter contains no link that strangers chose", async () => {
  const { accountId, sink, after } = await open();
  const alert = anAlert(accountId, "a");
  if (alert.type !== "error_group.new") throw new Error("another alert was meant");
  const evil = "https://evil.example/login\r\nBcc: all@plane.test";
  const data = { ...alert.data, errorType: evil, message: evil, projectId: "https://evil.example/project" };
  sink.raise({ ...alert, data });
  const [letter] = await after(MINUTE);
  expect(letter?.text).toContain("A new error in project https evil example project: https");
  expect(letter?.text).not.toContain("evil.example");
  expect(letter?.text).not.toContain("Bcc:");
  expect(letter?.to).toBe("owner@plane.test");
  const used = { keyId: "key_1", reason: "revoked" as const, address: "203.0.113.7" };
  sink.raise({ type: "key.refused", accountId, subject: "key/key_1", data: { ...used, name: evil } });
  const [, next] = await after(HOUR);
  expect(next?.text).toContain("The API key https evil example login");
  expect(next?.text).not.toContain("evil.example");
});

it("alert mail is skipped if a user or account turned it off, or if the address is unproven", async () => {
  const { app, accountId, sink, after } = await open();
  const invited = await app.request("POST", "/api/v1/users", {
    body: { email: "bob@plane.test", role: "admin" },
  });
  expect(invited.status).toBe(201);
  await after(MINUTE);
  sink.raise(anAlert(accountId, "a"));
  const alertsTo = async (ms: number) =>
    (await after(ms)).filter(({ text }) => !text.includes("invited")).map(({ to }) => to);
  const choose = async (body: object) =>
    expect(await app.request("PATCH", "/api/v1/alert-mail", { body })).toMatchObject({ status: 200 });
  expect(await alertsTo(MINUTE)).toEqual(["owner@plane.test"]);
  await choose({ userOff: ["error_group.new"] });
  sink.raise(anAlert(accountId, "b"));
  expect(await alertsTo(HOUR)).toHaveLength(1);
  await choose({ userOff: [] });
  sink.raise(anAlert(accountId, "c"));
  expect(await alertsTo(HOUR)).toHaveLength(2);
  await choose({ accountOff: ["error_group.new"] });
  sink.raise(anAlert(accountId, "d"));
  expect(await alertsTo(HOUR)).toHaveLength(2);
});

it("alert mail goes to an admin with a proven address until they are suspended", async () => {
  const { app, accountId, sink, after } = await open();
  const body = { email: "bob@plane.test", role: "admin" };
  const { user } = (await app.request("POST", "/api/v1/users", { body })).body;
  const [invitation] = await after(MINUTE);
  const secret = /link=(\w+)/.exec(invitation?.text ?? "")?.[1] ?? "";
  const visitor = { address: "192.0.2.1", userAgent: "Firefox/140", requestId: "req_1" };
  expect(await app.app.services.signIn.consumeLink(secret, visitor)).toBeDefined();
  const newLetters = async () => {
    const before = (await after(0)).length;
    sink.raise(anAlert(accountId, "a"));
    return (await after(HOUR)).slice(before).map(({ to }) => to);
  };
  expect(await newLetters()).toEqual(["owner@plane.test", "bob@plane.test"]);
  const suspending = await app.request("PATCH", `/api/v1/users/${user.id}`, { body: { suspended: true } });
  expect(suspending.status).toBe(200);
  expect(await newLetters()).toEqual(["owner@plane.test"]);
});
