import { createHash } from "node:crypto";
import { createAccounts } from "../../src/accounts/accounts.ts";
import { createClosing } from "../../src/accounts/closing/closing.ts";
import { accountsCollections } from "../../src/accounts/collections.ts";
import { createApiKeys } from "../../src/accounts/credentials/api-keys.ts";
import { createCredentials } from "../../src/accounts/credentials/credentials.ts";
import { createLastUse } from "../../src/accounts/credentials/last-use.ts";
import { createSignedInDevices } from "../../src/accounts/devices/signed-in-devices.ts";
import { createExports } from "../../src/accounts/export/exports.ts";
import { firstStart } from "../../src/accounts/first-start.ts";
import { accountsHandlers } from "../../src/accounts/handlers.ts";
import type { User } from "../../src/accounts/model.ts";
import { createProjects } from "../../src/accounts/projects/projects.ts";
import { type Role, scopesOf } from "../../src/accounts/roles.ts";
import { createFailureBudget } from "../../src/accounts/sign-in/failure-budget.ts";
import { createLinkMail } from "../../src/accounts/sign-in/link-mail.ts";
import { createNewcomers } from "../../src/accounts/sign-in/newcomers.ts";
import { createBrowserSessions } from "../../src/accounts/sign-in/sessions/browser-sessions.ts";
import { createSignIn, type SignedIn, type Visitor } from "../../src/accounts/sign-in/sign-in.ts";
import { createSignInLinks } from "../../src/accounts/sign-in/sign-in-links.ts";
import type { SignUpRule } from "../../src/accounts/sign-in/sign-up.ts";
import { createUsers } from "../../src/accounts/users/users.ts";
import { createAuditLog } from "../../src/audit/log.ts";
import { type Actor, type AuditEntry, auditCollections } from "../../src/audit/model.ts";
import { createAuditTrail } from "../../src/audit/trail.ts";
import type { Caller } from "../../src/contract/caller.ts";
import type { Problem } from "../../src/contract/problem.ts";
import { createPost, type Deliver } from "../../src/mail/post.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import {
  type AuthorizationServerPorts,
  createAuthorizationServer,
} from "../../src/oauth/authorization-server.ts";
import { oauthCollections } from "../../src/oauth/model.ts";
import type { Parameters } from "../../src/oauth/parameters.ts";
import type { TokenRequest } from "../../src/oauth/tokens/token.ts";
import type { Collection, Store } from "../../src/store/store.ts";
import { CannotFetch } from "../../src/system/network/fetch-public.ts";
import { cheapPasswords } from "../support/accounts/passwords.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore, type STORES } from "../support/store.ts";

export const BASE_URL = "https://plane.example";
export const OWNER_KEY = "an owner's key of more than 32 characters".replaceAll(" ", "-");
export const COLLECTIONS = [...accountsCollections, ...auditCollections, ...oauthCollections];
export const RESOURCES = [
  { path: "", name: "The whole API" },
  { path: "/mcp", name: "The tools" },
];
/** Clients of the catalogue. The secret of the last one is "secret of the web shop". */
export const CLIENTS = {
  ...loadCatalogue().clients,
  "acme-ide": { name: "Acme IDE", redirectUris: ["https://acme.example/callback", "http://127.0.0.1/done"] },
  "web-shop": {
    name: "Web shop",
    redirectUris: ["https://shop.example/signed-in"],
    secretSha256: createHash("sha256").update("secret of the web shop").digest("hex"),
  },
};
export const PLANS = [
  { id: "free", name: "Free", limits: { requestsPerMinute: 20 } },
  { id: "team", name: "Team", limits: { requestsPerMinute: 120 } },
  { id: "enterprise", name: "Enterprise", limits: { requestsPerMinute: 1000 } },
];
export const VISITOR: Visitor = { address: "192.0.2.1", userAgent: "Firefox/140", requestId: "req_1" };
export const DEVICE = { address: "198.51.100.7", userAgent: "tool/0.1.0" };
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Services = Awaited<ReturnType<typeof servicesOn>>;

export interface ServicesOptions extends Partial<Pick<AuthorizationServerPorts, "fetch" | "signAs">> {
  signUp?: SignUpRule;
  /** Further ones, which exports include. */
  collections?: readonly Collection<unknown>[];
  /** Receives letters. Mail is not configured without it. */
  deliver?: Deliver;
}

/** Starts accounts and OAuth on a new store, with the owner's account. */
export async function startServices(
  options: { seed?: string; on?: (typeof STORES)[number] } & ServicesOptions = {},
): Promise<Services> {
  const clock = fakeClock();
  const collections = [...COLLECTIONS, ...(options.collections ?? [])];
  const store = await openTestStore({ clock, collections, on: options.on });
  return servicesOn(store, clock, options.seed, options);
}

/** Starts the services on an existing store, as a second server on one database or as a restarted one. */
export async function servicesOn(
  store: Store,
  clock: FakeClock,
  seed = "seed",
  options: ServicesOptions = {},
) {
  const random = seededRandom(clock, seed);
  const told: object[] = [];
  const audit = createAuditTrail({ store, random, log: { info: (details) => told.push(details) } });
  const ports = { store, audit, clock, random };
  const noteUse = createLastUse(ports);
  const links = createSignInLinks({ ...ports, baseUrl: () => BASE_URL });
  const sessions = createBrowserSessions({ ...ports, noteUse });
  const projects = createProjects({ ...ports, plans: PLANS });
  const subjectOf = (address: string) => `address/${address}`;
  const rule = options.signUp ?? "invite";
  const newcomers = createNewcomers({ ...ports, rule, plansAt: () => ({ plan: "free" }), subjectOf });
  const post = options.deliver && createPost({ ...ports, deliver: options.deliver, log: { warn: () => {} } });
  const linkMail = post && createLinkMail({ ...ports, post, links, newcomers, subjectOf });
  const offered = { mail: linkMail !== undefined, passkeys: true, providers: ["acme", "other"] };
  const users = createUsers({ ...ports, links, linkMail });
  const apiKeys = createApiKeys({ ...ports, projects });
  const signedInDevices = createSignedInDevices(ports);
  const closing = createClosing(ports);
  const exported = [...accountsCollections, ...(options.collections ?? [])];
  const exports = createExports({ ...ports, log: createAuditLog(ports), collections: exported });
  const accounts = createAccounts({
    ...ports,
    links,
    linkMail,
    plans: PLANS,
    limitNames: { endpoints: ["usage.track", "agents.list"], usesPerMonth: ["mcp_calls", "api_calls"] },
  });
  const passwords = cheapPasswords(random);
  const passwordFailures = createFailureBudget({ ...ports, purpose: "password" });
  const codeFailures = createFailureBudget({ ...ports, purpose: "user-code" });
  const oauth = createAuthorizationServer({
    ...ports,
    issuer: () => BASE_URL,
    verificationUrl: () => BASE_URL,
    resources: RESOURCES,
    catalogueClients: CLIENTS,
    clientRegistration: true,
    privateClients: false,
    fetch: options.fetch ?? (() => Promise.reject(new CannotFetch("it is not there"))),
    codeFailures,
    subjectOf,
    signAs: options.signAs ?? (async (_algorithm, payload) => JSON.stringify(payload)),
  });
  const { account, owner } = await firstStart(
    { ...ports, passwords, links, plans: PLANS },
    { plan: "team", owner: { email: "owner@localhost" } },
  );
  return {
    ...ports,
    offered,
    /** Audit entries that were logged. */
    told,
    links,
    newcomers,
    linkMail,
    post,
    passwords,
    sessions,
    projects,
    users,
    apiKeys,
    accounts,
    closing,
    exports,
    account,
    owner,
    credentials: createCredentials({ ...ports, noteUse, ownerKey: OWNER_KEY }),
    signedInDevices,
    signIn: createSignIn({
      ...ports,
      sessions,
      links,
      newcomers,
      passwords,
      failures: passwordFailures,
      offered,
      subjectOf,
    }),
    handlers: accountsHandlers({
      accounts,
      users,
      projects,
      apiKeys,
      signedInDevices,
      closing,
      exports,
      deleteProject: async () => ({ deleted: 0, keysEnded: 0, more: false }),
      emptyProject: async () => ({ deleted: 0, more: false }),
      plans: PLANS,
    }),
    ...oauth,
    ...oauth.tokens,
    token: (parameters: Parameters, request: Partial<TokenRequest> = {}) =>
      oauth.tokens.token(parameters, {
        ...VISITOR,
        url: `${BASE_URL}/auth/token`,
        subject: "address/test",
        ...request,
      }),
    revoke: (parameters: Parameters, from: Actor = VISITOR) => oauth.revoke(parameters, from),
  };
}

/** Creates a user of another account, whose data must not be visible. */
export async function stranger(services: Services): Promise<User> {
  const { signInLink } = await services.accounts.create(callerFor(services.owner), {
    name: "Elsewhere",
    ownerEmail: "ada@elsewhere.example",
    plan: "free",
  });
  return (await comeBy(services, signInLink)).user;
}

/** Opens a link, and accepts its invitation if it has one. Returns the signed-in user and the session's secret. */
export async function comeBy(
  { signIn }: Services,
  link: string | undefined,
  visitor = VISITOR,
  as?: SignedIn,
): Promise<SignedIn & { secret: string }> {
  const started = await signIn.consumeLink(secretOf(link), visitor, as);
  const signedIn = started && (await signIn.lookUp(started.secret));
  if (!signedIn) throw new Error("the link lets nobody in");
  return { ...signedIn, secret: started.secret };
}

/** Invites a user to the account of `by`, by default the owner, and accepts the invitation. */
export async function colleague(
  services: Services,
  role: Role,
  { email = `${role}@example.com`, by = services.owner }: { email?: string; by?: User } = {},
): Promise<SignedIn & { secret: string }> {
  const { signInLink } = await services.users.invite(callerFor(by), { email, role });
  return comeBy(services, signInLink);
}

/** Returns the audit entries of all accounts, oldest first. */
export async function trailOf({ store }: Pick<Services, "store">): Promise<AuditEntry[]> {
  return (await createAuditLog({ store }).page("all", {}, { limit: 500 })).items.reverse();
}

/** Returns the caller of a request by a user. By default, the credential has all of the user's scopes. */
export function callerFor(user: User, credential: Partial<Caller["credential"]> = {}): Caller {
  return {
    accountId: user.accountId,
    userId: user.id,
    credential: { kind: "access_token", id: "tok_1", scopes: scopesOf(user), ...credential },
    projectId: "default",
    projectNamed: false,
    address: VISITOR.address,
    userAgent: VISITOR.userAgent,
    requestId: "req_1",
    signal: new AbortController().signal,
  };
}

export function approverFor(user: User, address = VISITOR.address) {
  return {
    accountId: user.accountId,
    userId: user.id,
    scopes: scopesOf(user),
    address,
    requestId: VISITOR.requestId,
  };
}

/** Requests a device code and its user code. */
export async function askForCode({ devices }: Services, scope?: string) {
  return devices.begin({ client_id: "tool-cli", ...(scope !== undefined && { scope }) }, DEVICE);
}

/** Signs in a device that a user approves, and returns its tokens. */
export async function signInDevice(services: Services, scope?: string, user = services.owner) {
  const { device_code, user_code } = await askForCode(services, scope);
  await services.devices.decide(user_code, "approve", approverFor(user));
  return services.token({ device_code });
}

/** Returns the secret in a sign-in link. */
export function secretOf(link = ""): string {
  return new URL(link).searchParams.get("link") ?? "";
}

/** Creates a sign-in link for the owner and returns its secret. */
export async function newLink({ accounts, account, owner }: Services): Promise<string> {
  return secretOf(await accounts.createSignInLink(callerFor(owner), account.id));
}

/** Starts a browser session of the owner. */
export async function signInByLink(services: Services, visitor = VISITOR) {
  const session = await services.signIn.consumeLink(await newLink(services), visitor);
  return { secret: session!.secret, signedIn: (await services.signIn.lookUp(session!.secret))! };
}

/** Matches a Problem by its code. */
export function problem(error: Problem["error"]) {
  return { name: "Problem", error };
}

/** Matches an OAuthError by its code. */
export function oauthError(error: string) {
  return { name: "OAuthError", error };
}

/** Waits for work that runs outside of requests. */
export async function settled({ store }: Pick<Services, "store">): Promise<void> {
  for (let round = 0; round < 3; round++) await store.transact(async () => {});
}
