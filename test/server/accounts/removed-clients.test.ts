import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { problem, VISITOR } from "../../accounts/fixture.ts";
import { requestOf } from "../../oauth/redirect.ts";
import { OWNER_KEY, startApp, type TestApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

const REDIRECT = "https://desk.example/callback";

const form = (app: TestApp, path: string, body: Record<string, string>) =>
  fetch(app.url + path, { method: "POST", body: new URLSearchParams(body) });

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Signs the owner in to a client by the device flow. */
async function signIn(app: TestApp, client_id: string): Promise<Tokens> {
  const begun = await form(app, "/auth/device/code", { client_id, scope: "read" });
  const { user_code, device_code } = (await begun.json()) as { user_code: string; device_code: string };
  const path = `/api/v1/device-authorizations/${user_code}`;
  await app.request("POST", path, { body: { decision: "approve" } });
  return (await form(app, "/auth/token", { client_id, device_code })).json() as Promise<Tokens>;
}

async function refresh(app: TestApp, client_id: string, { refresh_token }: Tokens) {
  const asked = { grant_type: "refresh_token", client_id, refresh_token };
  const { error } = (await (await form(app, "/auth/token", asked)).json()) as { error?: string };
  return error;
}

/** Returns a server with a plans file that names these clients, on the same directory as the one before. */
function servers() {
  const dataDirectory = temporaryDirectory();
  const plansFile = join(temporaryDirectory(), "plans.json");
  return (clients: object) => {
    writeFileSync(plansFile, JSON.stringify({ clients }));
    return startApp({ dataDirectory, plansFile });
  };
}

it("a client that the plans file names no more asks nobody, not even by requests that wait", async () => {
  const startWith = servers();
  const named = await startWith({ desk: { name: "Desk", redirectUris: [REDIRECT] } });
  const asked = requestOf({ client_id: "desk", redirect_uri: REDIRECT });
  const begun = await named.app.services.authorizations.begin(asked, "address/192.0.2.1");
  if ("redirect" in begun) throw new Error(begun.reason);
  const user = { accountId: "acc_1", userId: "usr_1", scopes: [], signedInAt: 0, ...VISITOR };
  const describe = ({ app }: TestApp) => app.services.authorizations.describe(begun.requestUri, "desk", user);
  expect(await describe(named)).toMatchObject({ client: { name: "Desk" } });
  await named.close();
  await expect(describe(await startWith({}))).rejects.toMatchObject(problem("not_found"));
});

it("sign-ins of a client last while the plans file names it; those of others stay", async () => {
  const startWith = servers();
  const state = async (app: TestApp, { access_token }: Tokens) =>
    (await app.request("GET", "/api/v1/account", { key: access_token })).status;
  const listed = async (app: TestApp) => {
    const { body } = await app.request("GET", "/api/v1/devices", { key: OWNER_KEY });
    return body.items.map(({ clientId }: { clientId: string }) => clientId).sort();
  };

  const named = await startWith({ desk: { name: "Desk" } });
  const [desk, cli, unknown] = [
    await signIn(named, "desk"),
    await signIn(named, "tool-cli"),
    await signIn(named, "lamp"),
  ];
  expect(await listed(named)).toEqual(["desk", "lamp", "tool-cli"]);
  await named.close();

  const without = await startWith({});
  expect(await listed(without)).toEqual(["lamp", "tool-cli"]);
  expect(await state(without, desk)).toBe(401);
  expect(await refresh(without, "desk", desk)).toBe("invalid_grant");
  for (const tokens of [cli, unknown]) expect(await state(without, tokens)).toBe(200);
  // As anything that nobody has named may: people read the id then.
  const again = await signIn(without, "desk");
  expect(await state(without, again)).toBe(200);
  await without.close();

  const back = await startWith({ desk: { name: "Desk" } });
  expect(await state(back, desk)).toBe(200);
  expect(await refresh(back, "desk", desk)).toBeUndefined();
  expect(await state(back, again)).toBe(200);
});
