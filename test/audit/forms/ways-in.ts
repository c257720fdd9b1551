import { requestOf } from "../../oauth/redirect.ts";
import { createAuthenticator } from "../../support/accounts/authenticator.ts";
import { memberOn } from "../../support/browsing.ts";
import { press } from "../../web/support/forms.ts";
import { hiddenFields, signedInVisitor, type Visitor, visitor } from "../../web/support/visitor.ts";
import { come, email, OWNER, type Place, type Sent } from "./place.ts";

/** Returns the fields of a passkey form, with the authenticator's answer to the server's challenge. */
async function asked(
  { app, authenticator }: Pick<Place, "app" | "authenticator">,
  browser: Visitor,
  kind: string,
  form: string,
) {
  const page = await browser.get(form === "/security" ? form : "/sign-in");
  const { form_token = "" } = hiddenFields(page.html, form);
  const options = await browser.post(
    "/passkeys/ask",
    new URLSearchParams({ form_token, kind, name: "Ada" }).toString(),
  );
  const origin = app.url.replace("127.0.0.1", "localhost");
  const given = JSON.parse(options.html);
  const answer =
    kind === "sign-in" ? authenticator.get(given, { origin }) : authenticator.create(given, { origin });
  return { form_token, kind, name: "Ada", answer: JSON.stringify(answer) };
}

const byPasskey = (kind: string): Sent["send"] => {
  return async (place, goesOn) => {
    const browser = visitor(place.app.url);
    goesOn(browser);
    const fields = await asked(place, browser, kind, "/sign-in/passkey");
    return browser.post("/sign-in/passkey", new URLSearchParams(fields).toString());
  };
};

/** Forms to sign in and out, and to give others access. */
export const WAYS_IN: Record<string, Sent> = {
  "/sign-in (email, password)": {
    action: "session.started",
    says: "after",
    async send({ app }, goesOn) {
      const browser = visitor(app.url);
      goesOn(browser);
      return press(browser, "/sign-in", "", { email: OWNER.email, password: OWNER.password });
    },
  },
  "/sign-in/passkey": { action: "account.signed_up", says: "after", send: byPasskey("sign-up") },
  "/sign-in/passkey sign-in": { action: "session.started", says: "after", send: byPasskey("sign-in") },
  "/accounts (account)": {
    action: "session.started",
    says: "after",
    async send({ app, operator }) {
      const { accountId, token } = await app.account("team");
      const body = { email: OWNER.email, role: "member" };
      const { signInLink } = (await app.request("POST", "/api/v1/users", { key: token, body })).body;
      const { account } = (await app.request("GET", "/api/v1/account")).body;
      const link = new URL(signInLink);
      await operator.send(await operator.get(link.pathname + link.search), "/sign-in");
      await press(operator, "/accounts", "", { account: accountId }).catch(() => undefined);
      return press(operator, "/accounts", "", { account: account.id });
    },
  },
  "/sign-out ()": {
    action: "session.ended",
    says: "before",
    send: async (place) => press((await come(place)).browser, "/sign-out"),
  },
  "/password (password, repeated, username)": {
    action: "person.password_set",
    says: "nothing",
    async send(place) {
      const passwords = { password: "a password of theirs", repeated: "a password of theirs" };
      return press((await come(place)).browser, "/password", "", passwords);
    },
  },
  "/password (current, password, repeated, username)": {
    action: "person.password_set",
    says: "nothing",
    async send({ app }) {
      const who = { email: email(), password: "a password of theirs" };
      const passwords = { password: who.password, repeated: who.password };
      await press((await memberOn(app, who.email, "member")).browser, "/password", "", passwords);
      const again = await signedInVisitor(app.url, who);
      return press(again, "/password", "", { ...passwords, current: who.password });
    },
  },
  "/security addPasskey": {
    action: "person.passkey_added",
    says: "after",
    async send({ app, operator }) {
      const another = { app, authenticator: createAuthenticator() };
      const fields = await asked(another, operator, "add", "/security");
      return press(operator, "/security", "addPasskey", fields);
    },
  },
  "/security removePasskey": {
    action: "person.passkey_removed",
    says: "before",
    send: async ({ operator }) => press(operator, "/security", "removePasskey"),
  },
  "/security disconnect": {
    action: "person.provider_disconnected",
    says: "before",
    async send({ operator }) {
      const security = await operator.get("/security");
      const left = await operator.send(security, "/sign-in/with/corp");
      const url = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(left.html)?.[1] ?? "";
      const { searchParams } = new URL(url.replaceAll("&amp;", "&"));
      const back = {
        code: searchParams.get("nonce") ?? "",
        state: searchParams.get("state") ?? "",
      };
      await operator.get(`/sign-in/with/corp?${new URLSearchParams(back)}`);
      return press(operator, "/security", "disconnect");
    },
  },
  "/device": {
    action: "device.approved",
    says: "after",
    async send({ app, operator }) {
      const body = { client_id: "tool-cli" };
      const { user_code: code } = (await app.request("POST", "/auth/device/code", { key: null, body })).body;
      return press(operator, `/device?user_code=${code}`, "", { decision: "approve" });
    },
  },
  "/auth/authorize": {
    action: "client.allowed",
    says: "after",
    async send({ app, operator }) {
      const redirect_uris = ["http://127.0.0.1/callback"];
      const body = { redirect_uris, client_name: "Their IDE", token_endpoint_auth_method: "none" };
      const made = await app.request("POST", "/auth/register", { key: null, body });
      const asks = requestOf({ client_id: made.body.client_id, redirect_uri: redirect_uris[0] ?? "" });
      const { location } = await operator.get(`/auth/authorize?${new URLSearchParams(asks)}`);
      return press(operator, location ?? "", "", { decision: "approve" });
    },
  },
  "/docs/:operation (body, parameter-X-Project-Id)": {
    action: "key.created",
    says: "after",
    async send({ operator }) {
      const body = JSON.stringify({ name: "tried", scopes: ["read"] });
      return press(operator, "/docs/keys_create", "", { body });
    },
  },
};
