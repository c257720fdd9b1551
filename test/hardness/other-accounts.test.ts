import { describe, expect, it } from "vitest";
import { newSecret } from "../../src/accounts/credentials/secrets.ts";
import { endpoints } from "../../src/api.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { startApp, type TestResponse } from "../support/app.ts";
import { FOREIGN, OF_THE_SERVER } from "./foreign.ts";

const random = createRandom(systemClock);

describe("a resource of another account", () => {
  it.each(
    endpoints
      .filter(({ name, path }) => path.includes("{") && !OF_THE_SERVER.has(name))
      .map((endpoint) => [endpoint.name, endpoint] as const),
  )("is indistinguishable from a missing one: %s", async (name, { method, path }) => {
    const foreign = FOREIGN[name];
    expect(foreign, `say in test/hardness/foreign.ts what ${path} names`).toBeDefined();
    if (!foreign) return;
    const app = await startApp();
    const [mine, theirs] = [await app.account("pro"), await app.account("pro")];
    const ask = async (id: string) => {
      const target = path.replace(/\{\w+\}/, encodeURIComponent(id));
      return seen(await app.request(method, target, { key: mine.token, body: foreign.body }), id);
    };
    const unknown = foreign.unknown();
    const answers = [await ask(await foreign.make(app, theirs)), await ask(unknown)];
    // An invalid request would say nothing about the resource.
    expect(answers[0]?.status).not.toBe(400);
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe("a credential that does not work", () => {
  it("gets the same answer whether or not it ever worked", async () => {
    const app = await startApp();
    const made = await app.request("POST", "/api/v1/keys", { body: { name: "a", scopes: ["read"] } });
    await app.request("DELETE", `/api/v1/keys/${made.body.key.id}`);
    const { token } = await app.account("pro");
    await app.request("POST", "/auth/revoke", { key: null, body: { token } });
    const presented = [
      made.body.secret,
      token,
      newSecret("api_key", random),
      newSecret("access_token", random),
      newSecret("refresh_token", random),
      "tak_typo",
      "a b",
    ];
    const answers = [];
    for (const key of presented) answers.push(seen(await app.request("GET", "/api/v1/account", { key }), ""));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it("gets the same answer from the token endpoint for a redeemed and an unknown device code", async () => {
    const app = await startApp();
    const ask = async (device_code: string) =>
      seen(await app.request("POST", "/auth/device/token", { key: null, body: { device_code } }), "");
    const begun = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const { device_code, user_code } = begun.body;
    const body = { decision: "approve" };
    await app.request("POST", `/api/v1/device-authorizations/${user_code}`, { body });
    await ask(device_code);
    const [redeemed, unknown] = [await ask(device_code), await ask("x".repeat(43))];
    expect(redeemed.body).toBe(unknown.body);
  });
});

/** Returns what a client sees of an answer, without members that always differ and the id that it sent. */
function seen({ status, headers, text }: TestResponse, id: string) {
  const kept = Object.fromEntries(
    [...headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-|ratelimit|retry-after)/.test(name)),
  );
  const body = text
    .replace(/"instance":"req_\w+"/, '"instance":""')
    .replace(/"createdAt":"[^"]+"/g, '"createdAt":""');
  return {
    status,
    headers: kept,
    body: id ? body.replaceAll(id, "ID").replaceAll(encodeURIComponent(id), "ID") : body,
  };
}
