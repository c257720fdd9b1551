import { type ApiClient, createApiClient } from "../../../client/api-client.ts";
import type { CredentialSource } from "../../../client/sign-in/credential.ts";
import type { Transport } from "../../../client/transport/transport.ts";
import type { RunningServer } from "../../../server/starting/start-server.ts";
import type { Clock } from "../../../system/clock.ts";
import type { Random } from "../../../system/random.ts";
import { inMemory } from "../../sign-in/in-memory-credential.ts";
import { CLIENT_ID } from "../../sign-in/signed-in.ts";
import { USER_AGENT } from "../../version.ts";
import type { UsedEvent } from "./usage.ts";

/** The services that the demo is made with. */
export interface Stage {
  server: Pick<RunningServer, "app" | "url">;
  clock: Clock;
  random: Random;
  transport: Transport;
}

const BROWSERS = [
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
];

/** A caller with a credential and an address. It uses HTTP, except for usage events, which are too many. */
export interface Actor {
  api: ApiClient;
  /** Records usage directly in the server, as if over the API. */
  count(events: UsedEvent[]): Promise<void>;
}

export function actorOf(
  stage: Stage,
  {
    accessToken,
    refreshToken,
    expiresAt,
    address,
    projectId,
  }: {
    accessToken: string;
    refreshToken?: string;
    expiresAt?: number;
    address: string;
    projectId?: string;
  },
): Actor {
  const { server, clock, random, transport } = stage;
  const credentials = inMemory({ accessToken, refreshToken, expiresAt, clientId: CLIENT_ID });
  const api = createApiClient({
    baseUrl: server.url,
    clock,
    random,
    userAgent: USER_AGENT,
    projectId,
    credentials,
    transport: {
      ...transport,
      send: (request) =>
        transport.send({ ...request, headers: { ...request.headers, "x-forwarded-for": address } }),
    },
  });
  return {
    api,
    async count(events) {
      const { handlers, services } = server.app;
      const requestId = random.id("req");
      const from = { address, requestId };
      const found = await services.credentials.authenticate(await renewed(stage, credentials, from), from);
      if (!found) throw new Error("A credential of the demo does not work.");
      const { account, userId, credential } = found;
      const batch = { events: events.map((event) => ({ event })) };
      await handlers.metering.recordBatch(batch, {
        accountId: account.id,
        userId,
        credential,
        projectId: projectId ?? credential.projectId ?? "default",
        projectNamed: projectId !== undefined,
        address,
        userAgent: USER_AGENT,
        requestId,
        signal: new AbortController().signal,
      });
    },
  };
}

/** Returns the access token of a credential, renewed first if it has expired. */
async function renewed(
  { server, clock }: Stage,
  credentials: CredentialSource,
  from: { address: string; requestId: string },
): Promise<string> {
  const held = await credentials.read();
  const { accessToken = "", refreshToken, expiresAt = Number.POSITIVE_INFINITY } = held ?? {};
  if (refreshToken === undefined || expiresAt > clock.now()) return accessToken;
  const asked = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: CLIENT_ID };
  const given = await server.app.services.tokens.token(asked, { ...from, url: "", subject: "" });
  await credentials.write({
    accessToken: given.access_token,
    refreshToken: given.refresh_token,
    expiresAt: clock.now() + given.expires_in * 1000,
    clientId: CLIENT_ID,
  });
  return given.access_token;
}

/** A user who is signed in with a browser and with a device. */
export interface Signed extends Actor {
  accountId: string;
  userId: string;
  email: string;
  address: string;
  /** The secret of the browser's session. */
  session: string;
}

/** Signs a user in by a one-time link, and approves a sign-in of their command line. */
export async function comeBy(stage: Stage, link: string, scope: string, address: string): Promise<Signed> {
  const { signIn, devices, tokens } = stage.server.app.services;
  const userAgent = BROWSERS[address.charCodeAt(address.length - 1) % BROWSERS.length] as string;
  const visitor = { address, userAgent, requestId: stage.random.id("req") };
  const started = await signIn.consumeLink(new URL(link).searchParams.get("link") ?? "", visitor);
  const signedIn = await signIn.lookUp(started?.secret ?? "");
  if (!started || !signedIn) throw new Error("A sign-in link of the demo does not work.");
  const { user, account, scopes } = signedIn;
  const device = { ...visitor, userAgent: USER_AGENT };
  const code = await devices.begin({ client_id: CLIENT_ID, scope }, device);
  await devices.decide(code.user_code, "approve", {
    accountId: account.id,
    userId: user.id,
    scopes,
    address,
    requestId: stage.random.id("req"),
  });
  const request = { address, requestId: stage.random.id("req"), url: "", subject: "" };
  const given = await tokens.token({ device_code: code.device_code }, request);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in } = given;
  const expiresAt = stage.clock.now() + expires_in * 1000;
  return {
    ...actorOf(stage, { accessToken, refreshToken, expiresAt, address }),
    accountId: account.id,
    userId: user.id,
    email: user.email,
    address,
    session: started.secret,
  };
}
