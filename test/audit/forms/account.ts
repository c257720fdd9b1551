import { browserOn } from "../../support/browsing.ts";
import { press } from "../../web/support/forms.ts";
import { visitor } from "../../web/support/visitor.ts";
import { come, email, type Place, type Sent } from "./place.ts";

/** Invites a user and returns their id. */
async function invited({ app }: Place): Promise<string> {
  const body = { email: email(), role: "member" };
  return (await app.request("POST", "/api/v1/users", { body })).body.user.id;
}

async function key({ app }: Place): Promise<string> {
  const body = { name: "ci", scopes: ["read"] };
  return (await app.request("POST", "/api/v1/keys", { body })).body.key.id;
}

/** Submits a form about a user of the account. */
const toPerson = (action: string, user: (place: Place) => Promise<string>, fields = {}): Sent["send"] => {
  return async (place) => {
    const id = await user(place);
    return press(place.operator, `/people?user=${id}`, action, { user: id, ...fields });
  };
};

const active = async (place: Place) => (await come(place)).userId;

const toKey = (action: string, fields = {}): Sent["send"] => {
  return async (place) => {
    const id = await key(place);
    return press(place.operator, `/keys?key=${id}`, action, { key: id, ...fields });
  };
};

const anotherAccount = async ({ app }: Place) => {
  const { accountId } = await app.account("team");
  return { accountId, browser: await browserOn(app, { accountId }) };
};

/** Submits a form of an account's owner about the account. */
const toOwn = (action: string, fields = {}, first?: string): Sent["send"] => {
  return async (place) => {
    const { browser } = await anotherAccount(place);
    if (first !== undefined) await press(browser, "/account", first, { name: "team" });
    return press(browser, "/account", action, fields);
  };
};

/** Forms about an account: its keys, people and devices, and the account itself. */
export const ACCOUNT: Record<string, Sent> = {
  "/keys create": {
    action: "key.created",
    says: "after",
    send: async ({ operator }) => press(operator, "/keys", "create", { name: "new", may: "read" }),
  },
  "/keys change": { action: "key.updated", send: toKey("change", { name: "renamed", may: "read" }) },
  "/keys suspend": { action: "key.suspended", says: "after", send: toKey("suspend") },
  "/keys resume": {
    action: "key.resumed",
    says: "before",
    async send(place) {
      const id = await key(place);
      await press(place.operator, `/keys?key=${id}`, "suspend", { key: id });
      return press(place.operator, `/keys?key=${id}`, "resume", { key: id });
    },
  },
  "/keys rotate": { action: "key.rotated", send: toKey("rotate", { overlap: "0" }) },
  "/keys revoke": { action: "key.revoked", says: "before", send: toKey("revoke") },
  "/people invite": {
    action: "user.invited",
    says: "after",
    send: async ({ operator }) => press(operator, "/people", "invite", { email: email(), role: "member" }),
  },
  "/people renew": {
    action: "user.invitation_renewed",
    send: toPerson("renew", async (place) => {
      const user = await invited(place);
      place.clock.advance(1000);
      return user;
    }),
  },
  "/people link": { action: "user.sign_in_link_made", says: "nothing", send: toPerson("link", active) },
  "/people role": { action: "user.updated", send: toPerson("role", active, { role: "viewer" }) },
  "/people suspend": { action: "user.updated", send: toPerson("suspend", active) },
  "/people resume": {
    action: "user.updated",
    send: toPerson("resume", async (place) => {
      const user = await active(place);
      await press(place.operator, `/people?user=${user}`, "suspend", { user });
      return user;
    }),
  },
  "/people remove": { action: "user.removed", says: "before", send: toPerson("remove", active) },
  "/account leave": {
    action: "user.left",
    says: "before",
    send: async (place) => press((await come(place)).browser, "/account", "leave"),
  },
  "/account transfer": {
    action: "account.transferred",
    async send(place) {
      const { app } = place;
      const { accountId, token } = await app.account("team");
      const body = { email: email(), role: "admin" };
      const heir = (await app.request("POST", "/api/v1/users", { key: token, body })).body;
      const link = new URL(heir.signInLink);
      const theirs = visitor(app.url);
      await theirs.send(await theirs.get(link.pathname + link.search), "/sign-in");
      return press(await browserOn(app, { accountId }), "/account", "transfer", { user: heir.user.id });
    },
  },
  "/account close": { action: "account.closed", says: "after", send: toOwn("close", { name: "team" }) },
  "/account keep": { action: "account.kept", says: "before", send: toOwn("keep", {}, "close") },
  "/devices revoke": {
    action: "device.revoked",
    says: "before",
    async send({ app, operator }) {
      const body = { client_id: "tool-cli" };
      const begun = (await app.request("POST", "/auth/device/code", { key: null, body })).body;
      await press(operator, `/device?user_code=${begun.user_code}`, "", { decision: "approve" });
      await app.app.services.tokens.token(
        { device_code: begun.device_code },
        { address: "127.0.0.1", requestId: "req_test", url: "", subject: "" },
      );
      return press(operator, "/devices", "revoke");
    },
  },
  "/devices sign-out": {
    action: "session.ended",
    says: "before",
    send: async ({ operator }) => press(operator, "/devices", "sign-out"),
  },
};
