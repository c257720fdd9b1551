import { newSecret } from "../../src/accounts/credentials/secrets.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { type Page, type Visitor, visitor } from "../web/support/visitor.ts";

/** Secrets that must never be in a log: every one that was issued, used or mistyped. */
export type Secrets = Set<string>;

/** Members of an answer that are used. */
interface Answer {
  device_code?: string;
  user_code?: string;
  access_token?: string;
  refresh_token?: string;
  signInLink?: string;
  secret?: string;
  key?: { id: string };
}

const PASSWORD = "correct horse battery staple 1";
const random = createRandom(systemClock);

/**
 * Uses everything that deals with secrets, including mistakes: signing in by link and by password, a
 * device from code to revocation, API keys, another account. Continues after failures of the server, so
 * that those of later steps are seen as well.
 */
export async function journey(url: string, signInUrl: string): Promise<Secrets> {
  const secrets: Secrets = new Set([PASSWORD]);
  const keep = <T>(secret: T): T => {
    if (typeof secret === "string") secrets.add(secret);
    return secret;
  };
  async function call(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return (await response.json().catch(() => ({}))) as Answer;
  }
  const auth = (path: string, body: unknown) => call("POST", `/auth/${path}`, body);

  const browser = await signIn();
  const device = await signInDevice(browser);
  await makeAccount(device.access_token);
  await recordAndRevoke(device.access_token);
  await refresh(device.refresh_token);
  await presentWrongly();
  return secrets;

  /** Signs in by link and sets a password, then signs in with the password on the second try. */
  async function signIn(): Promise<Visitor> {
    const first = visitor(url);
    const { pathname, search, searchParams } = new URL(signInUrl);
    keep(searchParams.get("link"));
    await submit(first, await first.get(pathname + search), "/sign-in");
    await submit(first, await first.get("/password"), "/password", {
      password: PASSWORD,
      repeated: PASSWORD,
    });
    const again = visitor(url);
    for (const password of [keep(`wrong ${random.id("password")}`), PASSWORD]) {
      await submit(again, await again.get("/sign-in"), "/sign-in", { email: "owner@localhost", password });
    }
    await again.get(`/sign-in?link=${keep(newSecret("sign_in_link", random))}`);
    await submit(first, await first.get("/"), "/sign-out");
    return again;
  }

  /** Submits a form. Does nothing if the page has no such form, because an earlier step failed. */
  async function submit(by: Visitor, page: Page, action: string, fields = {}): Promise<void> {
    if (page.html.includes(`action="${action}"`)) await by.send(page, action, fields);
    keepCookie(by.cookie());
  }

  function keepCookie(cookie: string): void {
    for (const pair of cookie.split("; ")) keep(pair.slice(pair.indexOf("=") + 1) || undefined);
  }

  async function signInDevice(browser: Visitor): Promise<Answer> {
    const { device_code, user_code } = await auth("device/code", {
      client_id: "tool-cli",
      scope: "operator",
    });
    keep(device_code);
    await auth("device/token", { device_code });
    await submit(browser, await browser.get(`/device?user_code=${user_code}`), "/device", {
      decision: "approve",
    });
    const pair = await auth("device/token", { device_code });
    await auth("device/token", { device_code });
    keep(pair.access_token);
    keep(pair.refresh_token);
    return pair;
  }

  async function refresh(first: string | undefined): Promise<void> {
    let refresh_token = first;
    for (let count = 0; count < 3; count++) {
      const pair = await auth("device/token", {
        grant_type: "refresh_token",
        refresh_token,
        client_id: "tool-cli",
      });
      keep(pair.access_token);
      refresh_token = keep(pair.refresh_token);
    }
    await auth("device/token", { grant_type: "refresh_token", refresh_token: first, client_id: "tool-cli" });
    await auth("device/token", { grant_type: "refresh_token", refresh_token, client_id: "another" });
    await auth("revoke", { token: refresh_token });
  }

  async function makeAccount(operator: string | undefined): Promise<void> {
    const body = { name: "b", ownerEmail: `${random.id("u")}@b.test`, plan: "pro" };
    const { signInLink } = await call("POST", "/api/v1/accounts", body, operator);
    if (signInLink) keep(new URL(signInLink).searchParams.get("link"));
    await call("POST", "/auth/introspect", { token: operator }, operator);
  }

  async function recordAndRevoke(admin: string | undefined): Promise<void> {
    const { key, secret } = await call("POST", "/api/v1/keys", { name: "a", scopes: ["write"] }, admin);
    keep(secret);
    const metadata = { token: keep(random.id("metadata")) };
    await call("POST", "/api/v1/track", { type: "api_calls", metadata }, secret);
    await call("GET", "/api/v1/entitlements/resolve", undefined, secret);
    await call("POST", "/api/v1/keys", { name: "b", scopes: ["admin"] }, secret);
    await call("DELETE", `/api/v1/keys/${key?.id}`, undefined, admin);
    await call("GET", "/api/v1/account", undefined, secret);
  }

  /** Sends requests with secrets in the wrong places, which are refused. */
  async function presentWrongly(): Promise<void> {
    const wrong = keep(newSecret("api_key", random));
    await call("GET", `/api/v1/account?access_token=${wrong}`);
    await call("GET", `/api/v1/usage?api_key=${wrong}&type=${wrong}`);
    await call("POST", "/api/v1/track", `{"type":"${wrong}","token":"${wrong}"`);
    await call("POST", "/api/v1/track", { type: wrong });
    await call("GET", "/api/v1/account", undefined, wrong);
    await call("GET", "/api/v1/account", undefined, `${wrong} ${wrong}`);
    await call("POST", "/auth/revoke", { token: wrong });
    await auth("device/token", { device_code: wrong, client_id: wrong, grant_type: wrong });
    await fetch(`${url}/sign-in`, {
      method: "POST",
      headers: { Cookie: `a=${wrong}` },
      body: new URLSearchParams({ password: wrong }),
    });
  }
}
