import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { type Says, SECRET, sidesIn, sidesOf } from "./entries.ts";

/** A request to an endpoint, and the entry that it should leave. */
interface Asked {
  action: string;
  /** The sides with values: both, unless the target was created, deleted, or had no value that a log may contain. */
  says?: Says;
  ask(app: TestApp): Promise<{ parameters?: Record<string, string>; body?: unknown; key?: string }>;
}

async function made(app: TestApp, path: string, body: unknown, key?: string) {
  const answer = await app.request("POST", path, { body, ...(key !== undefined && { key }) });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

let count = 0;

async function user(app: TestApp, role = "member", key?: string): Promise<string> {
  const email = `u${++count}@example.com`;
  return (await made(app, "/api/v1/users", { email, role }, key)).user.id;
}

/** Creates an account, and a user in it beside the owner. */
async function colleague(app: TestApp, role: string) {
  const { accountId, token } = await app.account("team");
  const email = `u${++count}@example.com`;
  const invited = await made(app, "/api/v1/users", { email, role }, token);
  const secret = new URL(invited.signInLink).searchParams.get("link") ?? "";
  const visitor = { address: "127.0.0.1", userAgent: "test", requestId: "req_come" };
  const started = await app.app.services.signIn.consumeLink(secret, visitor);
  if (!started) throw new Error("nobody came");
  return { accountId, token, userId: invited.user.id as string };
}

const key = async (app: TestApp) => {
  const { key } = await made(app, "/api/v1/keys", { name: "k", scopes: ["read"] });
  return { keyId: key.id as string };
};

const account = async (app: TestApp) => ({ accountId: (await app.account("team")).accountId });

/** An address that never resolves (RFC 6761 §6.4). */
const WEBHOOK = "https://hooks.invalid/";

const webhook = async (app: TestApp) => {
  const { webhook } = await made(app, "/api/v1/webhooks", { url: WEBHOOK });
  return { webhookId: webhook.id as string };
};

const CHANGES: Record<string, Asked> = {
  "users.create": {
    action: "user.invited",
    says: "after",
    ask: async () => ({ body: { email: `u${++count}@example.com`, role: "member" } }),
  },
  "users.renewInvitation": {
    action: "user.invitation_renewed",
    ask: async (app) => ({ parameters: { userId: await user(app) }, body: {} }),
  },
  "users.update": {
    action: "user.updated",
    ask: async (app) => ({ parameters: { userId: await user(app) }, body: { role: "viewer" } }),
  },
  "users.delete": {
    action: "user.invitation_withdrawn",
    says: "before",
    ask: async (app) => ({ parameters: { userId: await user(app) } }),
  },
  "users.signInLink": {
    action: "user.sign_in_link_made",
    // The link is a secret.
    says: "nothing",
    ask: async (app) => {
      const { userId, token } = await colleague(app, "member");
      return { parameters: { userId }, body: {}, key: token };
    },
  },
  "account.leave": {
    action: "user.left",
    says: "before",
    ask: async (app) => {
      const { userId, token } = await colleague(app, "admin");
      await made(app, "/api/v1/account/transfer", { userId }, token);
      return { body: {}, key: token };
    },
  },
  "account.transfer": {
    action: "account.transferred",
    ask: async (app) => {
      const { userId, token } = await colleague(app, "admin");
      return { body: { userId }, key: token };
    },
  },
  "account.close": {
    action: "account.closed",
    says: "after",
    ask: async (app) => ({ body: { name: "team" }, key: (await app.account("team")).token }),
  },
  "account.keep": {
    action: "account.kept",
    says: "before",
    ask: async (app) => {
      const { token } = await app.account("team");
      await made(app, "/api/v1/account/close", { name: "team" }, token);
      return { body: {}, key: token };
    },
  },
  "keys.create": {
    action: "key.created",
    says: "after",
    ask: async () => ({ body: { name: "ci", scopes: ["read"] } }),
  },
  "keys.update": {
    action: "key.updated",
    ask: async (app) => ({ parameters: await key(app), body: { name: "renamed" } }),
  },
  "keys.rotate": {
    action: "key.rotated",
    ask: async (app) => ({ parameters: await key(app), body: {} }),
  },
  "keys.delete": {
    action: "key.revoked",
    says: "before",
    ask: async (app) => ({ parameters: await key(app) }),
  },
  "devices.revoke": {
    action: "device.revoked",
    says: "before",
    async ask(app) {
      const { token } = await app.account("team");
      const { items } = (await app.request("GET", "/api/v1/devices", { key: token })).body;
      return { parameters: { deviceId: items[0].id }, key: token };
    },
  },
  "projects.update": {
    action: "project.created",
    says: "after",
    ask: async () => ({ parameters: { projectId: `p${++count}` }, body: { learningOptIn: true } }),
  },
  "projects.empty": {
    action: "project.emptied",
    says: "before",
    ask: async () => ({ parameters: { projectId: "default" } }),
  },
  "projects.delete": {
    action: "project.deleted",
    says: "before",
    async ask(app) {
      const projectId = `p${++count}`;
      await app.request("PUT", `/api/v1/projects/${projectId}`, { body: { name: "Soon gone" } });
      return { parameters: { projectId } };
    },
  },
  "accounts.create": {
    action: "account.created",
    says: "after",
    ask: async () => ({ body: { name: "Acme", ownerEmail: `u${++count}@example.com`, plan: "free" } }),
  },
  "accounts.update": {
    action: "account.updated",
    ask: async (app) => ({ parameters: await account(app), body: { plan: "pro", limits: { burst: 200 } } }),
  },
  "accounts.signInLink": {
    action: "user.sign_in_link_made",
    // The link is a secret.
    says: "nothing",
    ask: async (app) => ({ parameters: await account(app), body: {} }),
  },
  "webhooks.create": {
    action: "webhook.created",
    says: "after",
    ask: async () => ({ body: { url: WEBHOOK } }),
  },
  "webhooks.update": {
    action: "webhook.updated",
    ask: async (app) => ({ parameters: await webhook(app), body: { description: "Ours" } }),
  },
  "webhooks.delete": {
    action: "webhook.deleted",
    says: "before",
    ask: async (app) => ({ parameters: await webhook(app) }),
  },
  "webhooks.rotate": {
    action: "webhook.rotated",
    // Old secrets are not logged.
    says: "after",
    ask: async (app) => ({ parameters: await webhook(app), body: {} }),
  },
  "webhooks.test": {
    action: "webhook.tested",
    // Nothing changes.
    says: "nothing",
    ask: async (app) => ({ parameters: await webhook(app), body: {} }),
  },
  "webhooks.redeliver": {
    action: "webhook.redelivered",
    // The entry names the alert that is sent again.
    says: "after",
    async ask(app) {
      const parameters = await webhook(app);
      const path = `/api/v1/webhooks/${parameters.webhookId}`;
      await made(app, `${path}/test`, {});
      const { items } = (await app.request("GET", `${path}/deliveries`)).body;
      // A pending delivery cannot be redelivered, so it is given up first.
      await app.request("PATCH", path, { body: { enabled: false } });
      await app.request("PATCH", path, { body: { enabled: true } });
      return { parameters: { ...parameters, alertId: items[0].alertId }, body: {} };
    },
  },
  "alertMail.update": {
    action: "alert_mail.updated",
    ask: async () => ({ body: { userOff: ["anomaly.found"] } }),
  },
  "clients.revoke": {
    action: "client.revoked",
    says: "before",
    async ask(app) {
      const { client_id } = await made(app, "/auth/register", { redirect_uris: ["http://127.0.0.1/back"] });
      return { parameters: { clientId: client_id } };
    },
  },
  "signingKeys.rotate": {
    action: "signing_key.rotated",
    ask: async () => ({ body: {} }),
  },
  "deviceAuthorizations.decide": {
    action: "device.approved",
    says: "after",
    ask: async (app) => {
      const begun = await app.request("POST", "/auth/device/code", {
        key: null,
        body: { client_id: "tool-cli" },
      });
      return { parameters: { userCode: begun.body.user_code }, body: { decision: "approve" } };
    },
  },
};

/** Endpoints whose changes belong in the log: those for administration, and those of the control lane. */
const noted = endpoints.filter(
  ({ method, scope, lane }) =>
    method !== "GET" && (scope === "admin" || scope === "operator" || lane === "control"),
);

describe("a change through the API", () => {
  const clock = fakeClock();
  beforeAll(() => {
    count = 0;
  });

  it("is covered by this test for every endpoint that must be logged", () => {
    expect(Object.keys(CHANGES).sort()).toEqual(noted.map(({ name }) => name).sort());
  });

  it("is logged once with actor, action and target, and without secrets", async () => {
    const server = await startApp({ clock });
    for (const endpoint of noted) {
      const { action, ask, says } = CHANGES[endpoint.name] as Asked;
      const given = await ask(server);
      // Makes the entries' times differ, too.
      clock.advance(61_000);
      const answer = await send(server, endpoint, given);
      expect([endpoint.name, answer.status < 300, answer.text]).toEqual([endpoint.name, true, answer.text]);
      const requestId = answer.headers.get("X-Request-Id") ?? "";
      const { body } = await server.request("GET", `/api/v1/audit-log?accountId=all&query=${requestId}`);
      expect([endpoint.name, body.items.length]).toEqual([endpoint.name, 1]);
      const [entry] = body.items;
      expect(entry).toMatchObject({
        action,
        outcome: "done",
        actor: {
          userId: expect.stringMatching(/^usr_/),
          credential: { kind: given.key ? "access_token" : "owner_key", id: expect.any(String) },
          address: "127.0.0.1",
          requestId,
        },
        target: { kind: expect.any(String), id: expect.any(String) },
      });
      // Every list of the log names it so.
      if (entry.target.kind === "webhook") expect(entry.target.name).toBe(new URL(WEBHOOK).host);
      expect([endpoint.name, sidesOf(entry)]).toEqual([endpoint.name, sidesIn(says)]);
      expect(JSON.stringify(entry)).not.toMatch(SECRET);
    }
  });
});

function send(app: TestApp, { method, path }: Endpoint, given: Awaited<ReturnType<Asked["ask"]>>) {
  const { parameters = {}, body, key } = given;
  const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ""));
  return app.request(method, target, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });
}
