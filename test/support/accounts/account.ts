import { setTimeout as sleep } from "node:timers/promises";
import { visitor } from "../../web/support/visitor.ts";
import { OWNER_KEY } from "../app.ts";

/** Members of the answers that are used. A missing one makes the next step fail. */
interface Answer {
  account: { id: string };
  signInLink: string;
  device_code: string;
  user_code: string;
  access_token: string;
  secret: string;
}

/** Creates an account on a running server, signs a device of its owner in as people do, and creates a key. */
export async function accountOn(url: string, plan: string, ownerKey = OWNER_KEY) {
  const name = `${plan}-${Math.random().toString(36).slice(2)}`;
  const made = await send("POST", "/api/v1/accounts", ownerKey, {
    name,
    ownerEmail: `${name}@example.test`,
    plan,
  });
  const link = new URL(made.signInLink);
  const browser = visitor(url);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  const scope = "read write admin";
  const device = await send("POST", "/auth/device/code", undefined, { client_id: "tool-cli", scope });
  const shown = await browser.get(`/device?user_code=${device.user_code}`);
  await browser.send(shown, "/device", { decision: "approve" });
  const tokens = await send("POST", "/auth/device/token", undefined, { device_code: device.device_code });
  if (!tokens.access_token) throw new Error(`${plan} could not sign in: ${JSON.stringify(tokens)}`);
  const key = await send("POST", "/api/v1/keys", tokens.access_token, {
    name: "test",
    scopes: ["read", "write", "admin"],
  });
  return { accountId: made.account.id, browser, key: key.secret };

  async function send(
    method: string,
    path: string,
    credential: string | undefined,
    body: unknown,
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(credential && { Authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify(body),
    });
    if (response.status !== 429) return response.json() as Promise<Answer>;
    // Sign-ins from one address are rate limited.
    await sleep(1000 * Number(response.headers.get("retry-after")));
    return send(method, path, credential, body);
  }
}
