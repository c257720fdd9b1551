import { Router } from "express";
import { expect, it, vi } from "vitest";
import { createAuthenticator } from "../support/accounts/authenticator.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { startForgingProvider } from "../support/services/forging-provider.ts";
import { startMailServer } from "../support/services/mail-server.ts";
import { consolePaths } from "../web/support/console-paths.ts";
import { formsOf } from "../web/support/forms.ts";
import { type Page, type Visitor, visitor } from "../web/support/visitor.ts";
import { SECRET, sidesIn, sidesOf } from "./entries.ts";
import { FORMS, NOT_NOTED } from "./forms/forms.ts";
import { OWNER, type Place } from "./forms/place.ts";

const MAIL = "/sign-in/link";

/** Starts a server with every way to sign in, under a name that passkeys accept. */
async function startPlace(): Promise<Place> {
  const clock = fakeClock(Date.now());
  const port = await freePort();
  const { issuer } = await startForgingProvider();
  const corp = { name: "corp", issuer, clientId: "toolplane", clientSecret: "a secret of the test" };
  const app = await startApp({
    clock,
    port,
    baseUrl: `http://localhost:${port}`,
    signUp: "open",
    providers: [corp],
    owner: OWNER,
  });
  return { app, clock, operator: await browserOn(app), authenticator: createAuthenticator() };
}

it("every form of every page is logged once with actor, target and values, and without secrets", async () => {
  const routed = vi.spyOn(Router.prototype, "route");
  const place = await startPlace();
  // A server with mail has one path more.
  const mail = await startMailServer();
  const mailing = await startApp({ mail: { smtpUrl: mail.url, from: "plane@example.com" } });
  const taking = routed.mock.results
    .map(({ value }) => value as { path: string; methods: Record<string, boolean> })
    .filter(({ methods }) => methods.post)
    .map(({ path }) => path)
    // The other paths are endpoints, not pages; every-change.test.ts covers them.
    .filter((path) => !path.startsWith("/api/") && !path.startsWith("/v1/"));
  const seen = new Set<string>();
  const look = (page: Page) => {
    for (const { path, actions, fields } of formsOf(page))
      for (const action of actions) seen.add(nameOf(path, action || `(${fields.join(", ")})`));
    return page;
  };
  function nameOf(path: string, action: string): string {
    const route = taking.find((each) => new RegExp(`^${each.replace(/:\w+/g, "[^/]+")}$`).test(path));
    return `${route ?? path} ${action}`;
  }

  for (const [form, { action, says, logs = 1, send }] of Object.entries(FORMS)) {
    const browser = { current: place.operator };
    const page = await send(place, (other) => {
      browser.current = other;
    });
    look(page);
    if (page.location?.startsWith("/")) look(await browser.current.get(page.location));
    expect([form, page.status < 400, page.text]).toEqual([form, true, page.text]);
    const requestId = page.headers.get("x-request-id") ?? "";
    const { body } = await place.app.request("GET", `/api/v1/audit-log?accountId=all&query=${requestId}`);
    expect([form, body.items.map((each: { action: string }) => each.action)]).toEqual([
      form,
      Array(logs).fill(action),
    ]);
    const [entry] = body.items;
    expect(entry).toMatchObject({
      outcome: "done",
      actor: { address: "127.0.0.1", requestId },
      target: { kind: expect.any(String), id: expect.any(String) },
    });
    // A sign-in has no actor yet. Its target is the user.
    expect([form, entry.actor.userId ?? entry.target.id]).toEqual([form, expect.stringMatching(/^usr_/)]);
    expect([form, sidesOf(entry)]).toEqual([form, sidesIn(says)]);
    expect(JSON.stringify(entry)).not.toMatch(SECRET);
    place.clock.advance(61_000);
  }

  for (const browser of await lookers(place)) {
    for (const path of [...(await consolePaths(browser)), "/security", "/password", "/accounts"]) {
      look(await browser.get(path));
    }
  }
  look(await visitor(mailing.url).get("/sign-in"));
  const known = [...Object.keys(FORMS), ...Object.keys(NOT_NOTED)];
  // `NOT_NOTED` covers all forms of a path.
  const isKnown = (form: string) => Object.hasOwn(FORMS, form) || Object.hasOwn(NOT_NOTED, pathOf(form));
  expect([...seen].filter((form) => !isKnown(form))).toEqual([]);
  expect(taking.filter((path) => !known.some((form) => pathOf(form) === path))).toEqual([]);
  expect(taking).toContain(MAIL);
});

function pathOf(form: string): string {
  return form.split(" ", 1)[0] ?? "";
}

/** Returns browsers of users who see different forms on the pages. */
async function lookers({ app, operator }: Place): Promise<Visitor[]> {
  const { accountId } = await app.account("team");
  return [operator, await browserOn(app, { accountId }), await member(app)];
}

async function member(app: TestApp): Promise<Visitor> {
  return (await memberOn(app, "looks@example.com")).browser;
}
