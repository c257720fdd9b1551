import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { visitor } from "../web/support/visitor.ts";

/** Longest staleness of the store's caches (`Collection.cached`). */
const WITHIN_MS = 1_000;

it("a suspended user is signed out of three servers on one database within a second", async () => {
  const databaseUrl = await createDatabase();
  const apps = [
    await startApp({ databaseUrl }),
    await startApp({ databaseUrl }),
    await startApp({ databaseUrl }),
  ] as const;
  const [one] = apps;
  const invitation = { email: "bob@example.com", role: "admin" };
  const { user, signInLink } = (await one.request("POST", "/api/v1/users", { body: invitation })).body;
  const browser = visitor(one.url);
  await browser.send(await browser.get(signInLink), "/sign-in");
  const code = (await one.request("POST", "/auth/device/code", { key: "", body: { client_id: "tool-cli" } }))
    .body;
  const page = await browser.get(`/device?user_code=${code.user_code}`);
  await browser.send(page, "/device", { decision: "approve" });
  const asked = { device_code: code.device_code, client_id: "tool-cli" };
  const tokens = (await one.request("POST", "/auth/device/token", { key: "", body: asked })).body;

  // On plain HTTP, the names of cookies contain the server's port.
  const [, session = ""] = /=([^;]+)/.exec(browser.cookie()) ?? [];
  const cookieFor = (url: string) => `toolplane_${new URL(url).port}=${session}`;
  const looks = () =>
    Promise.all(
      apps.flatMap(({ request, url }) => [
        request("GET", "/api/v1/account", { key: tokens.access_token }).then(({ status }) => status === 200),
        visitor(url)
          .get("/usage", { cookie: cookieFor(url) })
          .then(({ status }) => status === 200),
      ]),
    );
  expect(await looks()).toEqual(Array(6).fill(true));
  await one.request("PATCH", `/api/v1/users/${user.id}`, { body: { suspended: true } });
  await new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  expect(await looks()).toEqual(Array(6).fill(false));
  for (const { request } of apps) {
    const renewed = await request("POST", "/auth/token", {
      key: "",
      body: { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: "tool-cli" },
    });
    expect(renewed).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  }
});
