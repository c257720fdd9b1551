import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { UnexpectedAnswer } from "../../../src/client/errors.ts";
import { webLogin } from "../../../src/client/sign-in/web-login.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";

const BASE = "https://plane.example";
const METADATA = { issuer: BASE, authorization_endpoint: `${BASE}/auth/authorize` };
const TOKEN = { access_token: "tat_1", refresh_token: "trt_1", expires_in: 3600 };

/** Returns the address that the browser is redirected back to, with these parameters. */
const backTo = (asked: URLSearchParams, brought: Record<string, string>) =>
  `${asked.get("redirect_uri")}?${new URLSearchParams({ state: asked.get("state") ?? "", ...brought })}`;

/** Runs a sign-in whose browser runs `browse` when it gets the address. */
async function signIn(
  browse: (asked: URLSearchParams, clock: ReturnType<typeof fakeClock>) => unknown,
  { metadata = METADATA as unknown, signal = undefined as AbortSignal | undefined } = {},
) {
  const clock = fakeClock();
  const posted: { path: string; fields: Record<string, string | undefined> }[] = [];
  let shown: URL | undefined;
  let browsing: unknown;
  const signedIn = webLogin({
    clock,
    random: seededRandom(clock),
    clientId: "tool-cli",
    scope: "read write",
    ...(signal && { signal }),
    api: {
      baseUrl: BASE,
      request: async () => ({ status: 200, headers: {}, body: metadata }),
      form: async (path, fields) => {
        posted.push({ path, fields });
        return TOKEN;
      },
    },
    onUrl: (url) => {
      shown = new URL(url);
      browsing = browse(shown.searchParams, clock);
    },
  });
  const [outcome] = await Promise.allSettled([signedIn]);
  await browsing;
  return { outcome, posted, asked: shown?.searchParams, shown, now: clock.now() };
}

const approve = (asked: URLSearchParams) => fetch(backTo(asked, { code: "the code", iss: BASE }));

describe("webLogin()", () => {
  it("asks for a code with PKCE and exchanges it for a credential", async () => {
    const { outcome, posted, asked, shown, now } = await signIn(approve);
    expect(shown?.href.startsWith(`${BASE}/auth/authorize?`)).toBe(true);
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      response_type: "code",
      client_id: "tool-cli",
      scope: "read write",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    const { path, fields } = posted[0]!;
    expect(path).toBe("/auth/token");
    expect(fields).toMatchObject({
      grant_type: "authorization_code",
      code: "the code",
      client_id: "tool-cli",
      redirect_uri: asked?.get("redirect_uri"),
    });
    // RFC 7636 §4.1 and §4.6.
    expect(fields.code_verifier).toMatch(/^[\w-]{43,128}$/);
    expect(createHash("sha256").update(fields.code_verifier!).digest("base64url")).toBe(
      asked?.get("code_challenge"),
    );
    expect(outcome).toMatchObject({
      value: {
        accessToken: "tat_1",
        refreshToken: "trt_1",
        clientId: "tool-cli",
        scope: "read write",
        expiresAt: now + 3_600_000,
      },
    });
  });

  it("answers 404 to requests that are not the redirect, and tells the browser to go back", async () => {
    const statuses: number[] = [];
    const { outcome } = await signIn(async (asked) => {
      const { origin } = new URL(asked.get("redirect_uri")!);
      const right = backTo(asked, { code: "the code", iss: BASE });
      const strangers = [
        fetch(`${origin}/`),
        fetch(`${origin}//`),
        fetch(`${origin}/callback?code=theirs&iss=${BASE}`),
        fetch(right.replace(/state=[^&]+/, "state=guessed")),
        fetch(right.replace("/callback", "/other")),
        fetch(right, { method: "POST" }),
      ];
      for (const response of await Promise.all(strangers)) {
        expect(await response.text()).toBe("There is nothing here.\n");
        statuses.push(response.status);
      }
      const answer = await fetch(right);
      statuses.push(answer.status);
      expect(await answer.text()).toContain("Go back to your terminal");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      });
    });
    expect(outcome.status).toBe("fulfilled");
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 200]);
  });

  it("stops listening when it ends", async () => {
    const { asked } = await signIn(approve);
    await expect(approve(asked!)).rejects.toThrow();
  });

  it.each([
    ["another server", { code: "the code", iss: "https://evil.example" }],
    ["nobody", { code: "the code" }],
    ["another server, with an error", { error: "access_denied", iss: "https://evil.example" }],
  ])("sends the code nowhere if the redirect comes from %s", async (_, brought) => {
    const { outcome, posted } = await signIn((asked) => fetch(backTo(asked, brought)));
    expect(outcome).toMatchObject({ reason: expect.any(UnexpectedAnswer) });
    expect(posted).toEqual([]);
  });

  it.each([
    [{ error: "access_denied", error_description: "Ada said no" }, "Ada said no"],
    [{ error: "access_denied" }, "access_denied"],
  ])("ends with the server's error: %j", async (brought, message) => {
    const { outcome, posted } = await signIn((asked) => fetch(backTo(asked, { ...brought, iss: BASE })));
    expect(outcome).toMatchObject({ reason: { name: "OAuthError", error: "access_denied", message } });
    expect(posted).toEqual([]);
  });

  it("waits ten minutes for the redirect", async () => {
    const late = await signIn(async (_, clock) => {
      await new Promise(setImmediate);
      clock.advance(10 * 60_000);
    });
    expect(late.outcome).toMatchObject({ reason: { name: "OAuthError", error: "expired_token" } });
    const inTime = await signIn(async (asked, clock) => {
      await new Promise(setImmediate);
      clock.advance(10 * 60_000 - 1);
      await approve(asked);
    });
    expect(inTime.outcome.status).toBe("fulfilled");
  });

  it("ends when its signal aborts", async () => {
    const controller = new AbortController();
    const browse = () => controller.abort(new Error("ctrl+c"));
    const { outcome } = await signIn(browse, { signal: controller.signal });
    expect(outcome).toMatchObject({ status: "rejected" });
  });

  it.each([undefined, {}, { issuer: BASE }, { authorization_endpoint: BASE }, { ...METADATA, issuer: 7 }])(
    "opens no page if the server's metadata is %j",
    async (metadata) => {
      const { outcome, shown } = await signIn(approve, { metadata: metadata ?? null });
      expect(outcome).toMatchObject({ reason: expect.any(UnexpectedAnswer) });
      expect(shown).toBeUndefined();
    },
  );
});
