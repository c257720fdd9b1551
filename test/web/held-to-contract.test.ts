import { expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { browserOn, memberOn } from "../support/browsing.ts";

/** Returns a function that posts fields that browsers would not send, with a valid form token. */
async function sentTo(app: TestApp) {
  const browser = await browserOn(app);
  const [, token = ""] = /name="form_token" value="(.+?)"/.exec((await browser.get("/password")).html) ?? [];
  return (path: string, fields: Record<string, string>) =>
    browser.post(path, new URLSearchParams({ form_token: token, ...fields }).toString());
}

const NUL = "a\u0000b";

it.each<[string, Record<string, string>]>([
  ["/people", { do: "invite", email: "notamail", role: "member" }],
  ["/people", { do: "invite", email: "a@b c", role: "member" }],
  ["/people", { do: "invite", email: `${"a".repeat(250)}@example.com`, role: "member" }],
  ["/people", { do: "invite", email: "ada@example.com", role: "king" }],
  ["/people", { do: "role", user: "usr_of_nobody", role: "king" }],
  ["/people", { do: "suspend", user: NUL }],
  ["/people", { do: "remove", user: "" }],
  ["/keys", { do: "suspend", key: NUL }],
  ["/keys", { do: "revoke", key: "k".repeat(257) }],
  ["/account", { do: "transfer", user: NUL }],
  ["/account", { do: "close", name: "n".repeat(257) }],
  ["/account", { do: "constructor" }],
  ["/devices", { do: "revoke", device: NUL }],
  ["/devices", { do: "sign-out", browser: "" }],
  ["/server/accounts", { do: "create", name: " ", owner: "ada@example.com", plan: "free" }],
  ["/server/accounts", { do: "create", name: "Ada", owner: "ada", plan: "free" }],
  ["/server/accounts", { do: "suspend", id: NUL }],
  ["/server/accounts", { do: "plan", id: "acc_of_nobody", plan: "" }],
  ["/server/accounts", { do: "suspend-key", id: "acc_of_nobody", key: NUL }],
  ["/server/instance", { do: "revoke-client", client: NUL }],
  ["/sign-in-as", { account: NUL, user: "usr_of_nobody" }],
])("%s refuses %j with 400, as the API does", async (path, fields) => {
  const app = await startApp();
  const send = await sentTo(app);
  expect((await send(path, fields)).status).toBe(400);
});

it("forms parse like the API: an e-mail address is trimmed, a limit is a whole number", async () => {
  const app = await startApp();
  const send = await sentTo(app);
  expect(
    (await send("/people", { do: "invite", email: " ada@example.com ", role: "member" })).text,
  ).toContain("ada@example.com is invited as member");
  const { userId } = await memberOn(app, "bob@example.com");
  expect((await send("/people", { do: "role", user: userId, role: "viewer" })).status).toBe(303);
  const { id } = (await app.request("GET", "/api/v1/account")).body.account;
  expect((await send("/server/accounts", { do: "limits", id, requestsPerMinute: "0x10" })).status).toBe(400);
  expect((await send("/server/accounts", { do: "limits", id, requestsPerMinute: "1,000" })).status).toBe(303);
});
