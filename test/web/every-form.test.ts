import { Router } from "express";
import { expect, it, vi } from "vitest";
import { startApp } from "../support/app.ts";
import { browserOn } from "../support/browsing.ts";
import { startForgingProvider } from "../support/services/forging-provider.ts";
import { startMailServer } from "../support/services/mail-server.ts";

it("no path accepts a form of another site or another browser (CSRF)", async () => {
  const routed = vi.spyOn(Router.prototype, "route");
  const { issuer } = await startForgingProvider();
  const corp = { name: "corp", issuer, clientId: "toolplane", clientSecret: "a secret of the test" };
  const mail = await startMailServer();
  const app = await startApp({
    mail: { smtpUrl: mail.url, from: "plane@example.com" },
    providers: [corp],
    signUp: "open",
  });
  const taking = routed.mock.results
    .map(({ value }) => value as { path: string; methods: Record<string, boolean> })
    .filter(({ path, methods }) => methods.post && !path.startsWith("/api/") && !path.startsWith("/v1/"))
    .map(({ path }) => path.replace(/:\w+/g, "corp"));
  expect(taking.length).toBeGreaterThan(20);
  const browser = await browserOn(app);
  const anothers = (await (await browserOn(app)).get("/password")).text.match(
    /name="form_token" value="(.+?)"/,
  )?.[1];
  const own = (await browser.get("/password")).text.match(/name="form_token" value="(.+?)"/)?.[1] ?? "";
  expect(own).not.toBe(anothers);
  for (const path of taking) {
    for (const body of ["", `form_token=${anothers}`]) {
      expect([path, (await browser.post(path, body)).status]).toEqual([path, 403]);
    }
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect([path, (await browser.post(path, `form_token=${own}`, elsewhere)).status]).toEqual([path, 403]);
  }
  const { body } = await app.request("GET", "/api/v1/audit-log?accountId=all&limit=100");
  const done = body.items.filter(({ outcome }: { outcome: string }) => outcome === "done");
  expect(new Set(done.map(({ action }: { action: string }) => action))).toEqual(
    // Entries of the server's start and of the visitor's sign-in.
    new Set(["signing_key.created", "session.started", "user.sign_in_link_made"]),
  );
});
