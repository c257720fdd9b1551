import { press } from "../../web/support/forms.ts";
import { email, type Place, type Sent } from "./place.ts";

/** Submits an operator's form about another account. */
const toAccount = (action: string, fields = {}): Sent["send"] => {
  return async (place) => {
    const { accountId: id } = await place.app.account("team");
    return press(place.operator, `/server/accounts?id=${id}`, action, { id, ...fields });
  };
};

/** Creates a used key of another account. Returns the key and the operator's page about its usage. */
async function usedKey({ app }: Place) {
  const { accountId, token } = await app.account("team");
  const body = { name: "busy", scopes: ["write"] };
  const made = (await app.request("POST", "/api/v1/keys", { key: token, body })).body;
  await app.request("POST", "/api/v1/track", { key: made.secret, body: { type: "api_calls", count: 3 } });
  return { page: `/server/accounts?id=${accountId}&when=today`, key: made.key.id as string };
}

/** Forms of the operator. */
export const SERVER: Record<string, Sent> = {
  "/server/accounts create": {
    action: "account.created",
    says: "after",
    async send({ operator }) {
      const fields = { name: "Acme", owner: email(), plan: "free" };
      return press(operator, "/server/accounts", "create", fields);
    },
  },
  "/sign-in-as (account, user)": {
    action: "user.impersonation_started",
    says: "after",
    logs: 2,
    async send({ app, operator }) {
      const { accountId } = await app.account("team");
      return operator.send(await operator.get(`/server/accounts?id=${accountId}`), "/sign-in-as");
    },
  },
  "/sign-in-as/end ()": {
    action: "user.impersonation_ended",
    says: "before",
    logs: 2,
    send: async ({ operator }) => operator.send(await operator.get("/"), "/sign-in-as/end"),
  },
  "/server/accounts plan": { action: "account.updated", send: toAccount("plan", { plan: "pro" }) },
  "/server/accounts plans-as-before": {
    action: "account.updated",
    async send(place) {
      const changed = await toAccount("plan", { plan: "pro" })(place, () => {});
      return press(place.operator, changed.location ?? "", "plans-as-before");
    },
  },
  "/server/accounts limits": {
    action: "account.updated",
    says: "after",
    send: toAccount("limits", { requestsPerMinute: "100" }),
  },
  "/server/accounts limits-as-before": {
    action: "account.updated",
    says: "before",
    async send(place) {
      const limited = await toAccount("limits", { requestsPerMinute: "100" })(place, () => {});
      return press(place.operator, limited.location ?? "", "limits-as-before");
    },
  },
  "/server/accounts suspend-key": {
    action: "key.suspended",
    says: "after",
    async send(place) {
      const { page, key } = await usedKey(place);
      return press(place.operator, page, "suspend-key", { key });
    },
  },
  "/server/accounts resume-key": {
    action: "key.resumed",
    says: "before",
    async send(place) {
      const { page, key } = await usedKey(place);
      await press(place.operator, page, "suspend-key", { key });
      return press(place.operator, page, "resume-key", { key });
    },
  },
  "/server/accounts revoke-key": {
    action: "key.revoked",
    says: "before",
    async send(place) {
      const { page, key } = await usedKey(place);
      return press(place.operator, page, "revoke-key", { key });
    },
  },
  "/server/accounts suspend": { action: "account.suspended", says: "after", send: toAccount("suspend") },
  "/server/accounts resume": {
    action: "account.resumed",
    says: "before",
    async send({ app, operator }) {
      const { accountId: id } = await app.account("team");
      await press(operator, `/server/accounts?id=${id}`, "suspend", { id });
      return press(operator, `/server/accounts?id=${id}`, "resume", { id });
    },
  },
  "/server/instance rotate": {
    action: "signing_key.rotated",
    send: async ({ operator }) => press(operator, "/server/instance", "rotate"),
  },
  "/server/instance revoke-client": {
    action: "client.revoked",
    says: "before",
    send: async ({ operator }) => press(operator, "/server/instance", "revoke-client"),
  },
};
