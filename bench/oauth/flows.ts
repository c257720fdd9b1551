import { createHash } from "node:crypto";
import type { Client, Dispatcher } from "undici";
import { requestsTo } from "../../src/testing/request.ts";
import { visitor } from "../../test/web/support/visitor.ts";
import { OWNER, OWNER_KEY } from "../servers/start.ts";

/** The values that a device or an application was given by earlier steps, by name. */
export type Held = Record<string, string>;
export type Step = (client: Client, held: Held) => Promise<void>;

/** The requests of one sign-in, by name, in order. */
export type Flow = Readonly<Record<string, Step>>;

export interface Flows {
  devices: Flow;
  codes: Flow;
}

interface Contender {
  deviceCode: string;
  deviceToken: string;
  pushed: string;
  token: string;
  scope: string;
  application: { id: string; redirectUri: string };
  /** A person's approval of a device. */
  approve: Step;
  /** A person's approval of an application. The address that the browser is redirected to holds the code. */
  allow: Step;
}

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const DEVICE = "tool-cli";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** Returns the flows of Toolplane, where the owner has signed in. */
export async function flowsOfToolplane(url: string): Promise<Flows> {
  const application = { id: "tool-cli", redirectUri: "http://127.0.0.1:8000/callback" };
  const { cookie, formToken } = await signInAsOwner(url);
  return flows({
    deviceCode: "/auth/device/code",
    deviceToken: "/auth/device/token",
    pushed: "/auth/par",
    token: "/auth/token",
    scope: "read write",
    application,
    async approve(client, { user_code }) {
      const path = `/api/v1/device-authorizations/${user_code}`;
      await send(client, { method: "POST", path, headers: OWNER, body: '{"decision":"approve"}' });
    },
    async allow(client, held) {
      const given = { client_id: application.id, request_uri: held.request_uri ?? "" };
      const body = formOf({ ...given, form_token: formToken, decision: "approve" });
      const headers = { ...FORM, cookie };
      await takeCode(client, { method: "POST", path: "/auth/authorize", headers, body }, held);
    },
  });
}

/**
 * People who sign in at oidc-provider. Its memory adapter reads all tokens of a person's grant to add another, so one
 * person would measure little else; and it keeps 1,000 entries, of which many people's sessions would be evicted.
 */
const PEOPLE = 8;

/** Returns the flows of oidc-provider, where people have signed in and have already approved the application. */
export async function flowsOfOidcProvider(url: string, scope: string): Promise<Flows> {
  const application = { id: "tool-web", redirectUri: "https://client.example/callback" };
  const cookies: string[] = [];
  while (cookies.length < PEOPLE) cookies.push(await (await fetch(`${url}/sign-in`)).text());
  const cookieOf = new Map<Client, string>();
  return flows({
    deviceCode: "/device/auth",
    deviceToken: "/token",
    pushed: "/request",
    token: "/token",
    scope,
    application,
    async approve(client, { user_code }) {
      await send(client, { method: "POST", path: `/approve/${user_code}`, body: "" });
    },
    async allow(client, held) {
      const cookie = cookieOf.get(client) ?? cookies[cookieOf.size % PEOPLE] ?? "";
      cookieOf.set(client, cookie);
      const query = formOf({ client_id: application.id, request_uri: held.request_uri ?? "" });
      await takeCode(client, { method: "GET", path: `/auth?${query}`, headers: { cookie } }, held);
    },
  });
}

function flows({ application: { id, redirectUri }, scope, ...server }: Contender): Flows {
  const post = async (client: Client, held: Held, path: string, form: Held) => {
    Object.assign(held, await send(client, { method: "POST", path, headers: FORM, body: formOf(form) }));
  };
  return {
    devices: {
      code: (client, held) => post(client, held, server.deviceCode, { client_id: DEVICE, scope }),
      approval: server.approve,
      tokens: async (client, held) => {
        const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
        const { device_code = "" } = held;
        await post(client, held, server.deviceToken, { client_id: DEVICE, grant_type, device_code });
        checkTokens(held);
      },
    },
    codes: {
      request: (client, held) =>
        post(client, held, server.pushed, {
          client_id: id,
          response_type: "code",
          redirect_uri: redirectUri,
          code_challenge: CHALLENGE,
          code_challenge_method: "S256",
          scope,
        }),
      decision: server.allow,
      tokens: async (client, held) => {
        const proof = { code_verifier: VERIFIER, redirect_uri: redirectUri };
        const { code = "" } = held;
        await post(client, held, server.token, {
          client_id: id,
          grant_type: "authorization_code",
          code,
          ...proof,
        });
        checkTokens(held);
      },
    },
  };
}

function checkTokens({ access_token, refresh_token }: Held): void {
  if (!access_token || !refresh_token) throw new Error("the flow ended without a pair of tokens");
}

async function signInAsOwner(url: string): Promise<{ cookie: string; formToken: string }> {
  const request = requestsTo(url, OWNER_KEY);
  const { account } = (await request("GET", "/api/v1/account")).body;
  const made = await request("POST", `/api/v1/accounts/${account.id}/sign-in-link`, { body: {} });
  const link = new URL(made.body.signInLink);
  const browser = visitor(url);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  const { html } = await browser.get("/devices");
  const formToken = /name="form_token" value="([^"]+)"/.exec(html)?.[1];
  if (formToken === undefined) throw new Error(`no page with a form came of the link: ${html.slice(0, 300)}`);
  return { cookie: browser.cookie(), formToken };
}

async function takeCode(client: Client, request: Dispatcher.RequestOptions, held: Held): Promise<void> {
  const { status, location, text } = await answerTo(client, request);
  const code = URL.canParse(location) ? new URL(location).searchParams.get("code") : null;
  if (code === null) throw new Error(`${request.path} answered ${status} ${location}: ${text}`);
  held.code = code;
}

async function send(client: Client, request: Dispatcher.RequestOptions): Promise<Held> {
  const { status, text } = await answerTo(client, request);
  if (status >= 300) throw new Error(`${request.path} answered ${status}: ${text}`);
  return JSON.parse(text);
}

interface Answer {
  status: number;
  /** Empty unless the answer is a redirect. */
  location: string;
  text: string;
}

/** Sends a request without a stream for its body. A client that costs more than the servers would measure itself. */
function answerTo(client: Client, request: Dispatcher.RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { status: 0, location: "", text: "" };
    client.dispatch(request as Dispatcher.DispatchOptions, {
      onRequestStart() {},
      onResponseStart(_controller, status, { location = "" }) {
        answer.status = status;
        answer.location = String(location);
      },
      onResponseData(_controller, chunk) {
        answer.text += chunk.toString();
      },
      onResponseEnd: () => resolve(answer),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

function formOf(fields: Held): string {
  return new URLSearchParams(fields).toString();
}
