import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createAccounts } from "../../../src/accounts/accounts.ts";
import { createClosing } from "../../../src/accounts/closing/closing.ts";
import { accountsCollections } from "../../../src/accounts/collections.ts";
import { createApiKeys } from "../../../src/accounts/credentials/api-keys.ts";
import { createLastUse } from "../../../src/accounts/credentials/last-use.ts";
import { createSignedInDevices } from "../../../src/accounts/devices/signed-in-devices.ts";
import { createExports } from "../../../src/accounts/export/exports.ts";
import { exportLines } from "../../../src/accounts/export/pages.ts";
import { firstStart } from "../../../src/accounts/first-start.ts";
import { nameOfPlan } from "../../../src/accounts/plan.ts";
import { createProjects } from "../../../src/accounts/projects/projects.ts";
import type { Role } from "../../../src/accounts/roles.ts";
import { createFailureBudget } from "../../../src/accounts/sign-in/failure-budget.ts";
import { createNewcomers } from "../../../src/accounts/sign-in/newcomers.ts";
import { createBrowserSessions } from "../../../src/accounts/sign-in/sessions/browser-sessions.ts";
import { createSignIn } from "../../../src/accounts/sign-in/sign-in.ts";
import { createSignInLinks } from "../../../src/accounts/sign-in/sign-in-links.ts";
import { createUsers } from "../../../src/accounts/users/users.ts";
import { createAuditLog } from "../../../src/audit/log.ts";
import { auditCollections } from "../../../src/audit/model.ts";
import type { Caller } from "../../../src/contract/caller.ts";
import { USAGE_TYPES, type UsageType } from "../../../src/metering/contract.ts";
import type { BoundsReport } from "../../../src/metering/limits/bounds-report.ts";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { bucketOf, startOf } from "../../../src/metering/usage/buckets.ts";
import type { UsageViews } from "../../../src/metering/usage/reports/usage-views.ts";
import { createAuthorizationServer } from "../../../src/oauth/authorization-server.ts";
import { oauthCollections } from "../../../src/oauth/model.ts";
import type { Parameters } from "../../../src/oauth/parameters.ts";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { createBodies } from "../../../src/server/pipeline/request-body.ts";
import { targetOf } from "../../../src/server/pipeline/request-target.ts";
import { pagesRouter } from "../../../src/server/routes/pages-router.ts";
import { iso } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { CannotFetch, type FetchPublic } from "../../../src/system/network/fetch-public.ts";
import { allPages } from "../../../src/web/all-pages.ts";
import { createBrowserCookie } from "../../../src/web/browser-cookie.ts";
import { accountSection } from "../../../src/web/console/account.tsx";
import { anomaliesSection } from "../../../src/web/console/anomalies/section.tsx";
import { devicesSection } from "../../../src/web/console/devices/section.tsx";
import { entitlementsSection } from "../../../src/web/console/entitlements.tsx";
import { createFirstSteps } from "../../../src/web/console/first-steps.tsx";
import { createFreshness } from "../../../src/web/console/frame/freshness.ts";
import type { Projects } from "../../../src/web/console/frame/projects.tsx";
import type { Section } from "../../../src/web/console/frame/section.ts";
import { keysSection } from "../../../src/web/console/keys/section.tsx";
import { limitsSection } from "../../../src/web/console/limits/section.tsx";
import { peopleSection } from "../../../src/web/console/people/section.tsx";
import { usageSection } from "../../../src/web/console/usage/section.tsx";
import { pageHeaders } from "../../../src/web/page-headers.ts";
import { testTrail } from "../../support/accounts/audit.ts";
import { cheapPasswords } from "../../support/accounts/passwords.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { openTestStore } from "../../support/store.ts";
import { type Visitor, visitor } from "./visitor.ts";

export const OWNER = { email: "owner@localhost", password: "correct horse battery" };

const DOCUMENT = {
  info: { title: "Toolplane", version: "0" },
  tags: [],
  paths: {},
  components: { schemas: {}, parameters: {}, responses: {} },
};

const PLANS = [
  { id: "free", name: "Free of charge", limits: { requestsPerMinute: 20 } },
  { id: "team", name: "The whole team", limits: { requestsPerMinute: 20 } },
];

/** Serves the pages on a new port, with the real services on a new store. Call it inside a test. */
export async function startPages(
  options: {
    password?: string;
    baseUrl?: string;
    fetch?: FetchPublic;
    sections?: readonly Section[];
    firstSteps?: typeof never;
    usage?: number;
  } = {},
) {
  const clock = fakeClock();
  const random = seededRandom(clock);
  const store = await openTestStore({
    clock,
    collections: [...accountsCollections, ...auditCollections, ...oauthCollections],
  });
  const audit = testTrail(store, clock);
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const baseUrl = () => options.baseUrl ?? url;
  const subjectOf = (address: string) => address;

  const plans = PLANS;
  const links = createSignInLinks({ clock, random, baseUrl: () => url });
  const noteUse = createLastUse({ store, clock });
  const sessions = createBrowserSessions({ store, audit, clock, random, noteUse });
  const passwords = cheapPasswords(random);
  const signIn = createSignIn({
    store,
    audit,
    clock,
    random,
    sessions,
    links,
    newcomers: createNewcomers({
      store,
      clock,
      random,
      rule: "invite",
      plansAt: () => ({ plan: "free" }),
      subjectOf,
    }),
    passwords,
    failures: createFailureBudget({ store, clock, purpose: "password" }),
    offered: { mail: false, passkeys: false, providers: [] },
    subjectOf,
  });
  const users = createUsers({ store, audit, clock, random, links });
  const projects = createProjects({ store, audit, clock, plans });
  const apiKeys = createApiKeys({ store, audit, clock, random, projects });
  const closing = createClosing({ store, audit, clock });
  const exports = createExports({
    ...{ store, audit, clock },
    log: createAuditLog({ store }),
    collections: accountsCollections,
  });
  const limitNames = { endpoints: [], usesPerMonth: USAGE_TYPES };
  const accounts = createAccounts({ store, audit, clock, random, links, plans: PLANS, limitNames });
  const signedInDevices = createSignedInDevices({ store, audit });
  const { devices, authorizations, registrations, tokens } = createAuthorizationServer({
    store,
    audit,
    clock,
    random,
    issuer: baseUrl,
    verificationUrl: () => url,
    resources: [{ path: "/mcp", name: "The tools" }],
    catalogueClients: {
      ...loadCatalogue().clients,
      "acme-ide": { name: "Acme IDE", redirectUris: ["https://acme.example/callback"] },
    },
    clientRegistration: true,
    privateClients: false,
    fetch: options.fetch ?? (() => Promise.reject(new CannotFetch("it is not there"))),
    codeFailures: createFailureBudget({ store, clock, purpose: "user_code" }),
    subjectOf,
    signAs: async (_algorithm, payload) => JSON.stringify(payload),
  });
  const token = (parameters: Parameters) =>
    tokens.token(parameters, {
      address: "127.0.0.1",
      requestId: "req_test",
      url: `${url}/auth/token`,
      subject: "address/test",
    });
  const first = await firstStart(
    { store, audit, clock, random, passwords, links, plans },
    { plan: "team", owner: { email: OWNER.email, password: options.password } },
  );

  const projectsOf: Projects = async ({ account }) => (await projects.list(account.id, { limit: 200 })).items;
  const freshness = createFreshness(clock);
  onTestFinished(() => freshness.stop());
  const bodies = createBodies();
  const router = pagesRouter({
    pages: allPages({
      signIn,
      linkMail: undefined,
      providerSignIn: { providers: [], begin: never, finish: never, disconnect: never },
      passkeys: { ask: never, askForNew: never, signIn: never, signUp: never, add: never, remove: never },
      ownData: ({ by }) => exportLines((cursor) => exports.own(by, [by.accountId], cursor)),
      signUpByPasskey: false,
      offered: { mail: false, passkeys: false, providers: [] },
      signUp: false,
      devices,
      authorizations,
      subjectOf,
      connectable: () => undefined,
      reference: { document: () => DOCUMENT, tryOut: never },
      freshness,
      nameOfPlan: (plan) => nameOfPlan(plans, plan),
      firstSteps:
        options.firstSteps ??
        createFirstSteps({ usage: wavesOf(options.usage ?? 0), devices: signedInDevices, apiKeys, users }),
      sections: options.sections ?? [
        usageSection({ usage: wavesOf(options.usage ?? 0), exported: never }),
        limitsSection(async () => boundsAt(clock.now())),
        entitlementsSection(async () => ({
          tier: "team",
          features: ["agents.technical", "agents.business", "skills.basic", "workflows.basic", "telemetry"],
          agents: { required: { "compliance-officer": "enterprise" }, denied: ["compliance-officer"] },
          upgradeUrl: "https://up.example/plans",
        })),
        keysSection(apiKeys, projectsOf),
        peopleSection(users),
        accountSection({
          users,
          closing,
          async exported({ visit }) {
            await closing.checkOwner(visit.by);
            return exportLines((cursor) => exports.account(visit.by, visit.by.accountId, cursor));
          },
        }),
        anomaliesSection({
          history: async () => ({ items: [] }),
          ...{ show: never, dismiss: never, apply: never, reopen: never },
        }),
        devicesSection({ devices: signedInDevices, browsers: signIn, baseUrl }),
      ],
      projects: projectsOf,
      cookie: createBrowserCookie({ baseUrl, random, clock }),
      serviceName: "Toolplane",
      headers: pageHeaders(() => baseUrl().startsWith("https:")),
      readBody: ({ exchange }, most) => bodies.read(exchange as Exchange, most),
      baseUrl,
      verificationUrl: baseUrl,
      clock,
      log: createLog("silent"),
    }),
    limit: (_request, _response, next) => next(),
    exchangeOf: ({ exchange }) => exchange as Exchange,
    failed: (_exchange, error) => ({ status: 500, headers: {}, body: String(error) }),
  });
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    const { path, query } = targetOf(req);
    const address = req.socket.remoteAddress ?? "";
    req.exchange = { req, res, path, query, address, requestId: "req_test", startedAt: 0, endpoint: "page" };
    router(req as never, res as never, () => res.writeHead(404).end());
  });

  const linkOf = async (userId: string) => {
    const user = { accountId: first.account.id, userId };
    return (await store.transact((tx) => links.issue(tx, user))).url;
  };
  return {
    url,
    clock,
    store,
    /** Creates an account, and an invitation for its owner. */
    otherAccount: (ownerEmail: string) =>
      accounts.create({ address: "", requestId: "" }, { name: "Elsewhere", ownerEmail, plan: "free" }),
    ownerLink: () => linkOf(first.owner.id),
    linkOf,
    signIn,
    users,
    projects,
    apiKeys,
    signedInDevices,
    devices,
    authorizations,
    registrations,
    token,
    ...first,
  };
}

/** Stands for functions that these pages never call. */
export const never = () => Promise.reject(new Error("no provider is configured"));

/** Returns usage of one key that rises and falls. */
function wavesOf(scale: number): UsageViews {
  const series: UsageViews["series"] = async (_who, { granularity, from, to, type }) =>
    Array.from({ length: bucketOf(granularity, to) - bucketOf(granularity, from) }, (_, index) => {
      const wave = Math.round(scale * (2 + Math.sin(index)));
      const at = iso(startOf(granularity, bucketOf(granularity, from) + index));
      const counts = { api_calls: wave * 31, agents_invoked: wave, mcp_calls: wave % 7 };
      const isAsked = ([name]: [string, number]) => type === undefined || name === type;
      return { at, counts: Object.fromEntries(Object.entries(counts).filter(isAsked)) };
    });
  return {
    series,
    async groups(who, question) {
      const totals = Object.fromEntries(USAGE_TYPES.map((type) => [type, 0])) as Record<UsageType, number>;
      for (const { counts } of await series(who, question)) {
        for (const [type, count] of Object.entries(counts)) totals[type as UsageType] += count;
      }
      const total = Object.values(totals).reduce((sum, count) => sum + count, 0);
      const group = { key: "key_ci", keyName: "ci", user: "usr_ann", tool: "build", project: "shop" };
      const groups = total === 0 ? [] : [{ ...group, counts: totals, total, refused: 0 }];
      return { groups, count: groups.length, total, refused: 0, totals };
    },
  };
}

export type Pages = Awaited<ReturnType<typeof startPages>>;

/** Returns a browser that is signed in as the owner, by a link, since hashing a password is slow. */
export async function signedInOwner({ url, ownerLink }: Pages): Promise<Visitor> {
  const browser = visitor(url);
  await browser.send(await browser.get(await ownerLink()), "/sign-in");
  return browser;
}

/** Returns a browser that is signed in as a new user of the owner's account, by default a member. */
export async function signedInMember(pages: Pages, email: string, role: Role = "member"): Promise<Visitor> {
  const { signInLink } = await pages.users.invite(ownerCaller(pages), { email, role });
  const browser = visitor(pages.url);
  await browser.send(await browser.get(signInLink ?? ""), "/sign-in");
  return browser;
}

/** Begins a device's sign-in. Returns its user code, and a function that polls once. */
export async function beginDevice(
  { devices, token }: Pages,
  parameters: Record<string, string> = { client_id: "tool-cli" },
): Promise<{ userCode: string; poll(): Promise<string> }> {
  const requester = { address: "203.0.113.9", userAgent: "tool/0.1.0 (linux; x64)" };
  const { user_code, device_code } = await devices.begin(parameters, requester);
  return {
    userCode: user_code,
    poll: () =>
      token({ device_code }).then(
        ({ scope }) => `granted ${scope}`,
        (error) => error.error,
      ),
  };
}

/** Returns the owner as an endpoint's caller. */
export function ownerCaller({ account, owner }: Pages): Caller {
  return {
    accountId: account.id,
    userId: owner.id,
    credential: { kind: "owner_key", id: "owner_key", scopes: ["operator"] },
    projectId: "default",
    projectNamed: false,
    address: "127.0.0.1",
    userAgent: "test",
    requestId: "req_test",
    signal: new AbortController().signal,
  };
}

function boundsAt(now: number): BoundsReport {
  const at = (ms: number) => new Date(now + ms).toISOString();
  return {
    plan: "team",
    planName: "The whole team",
    bounds: {
      storageBytes: { limit: 2 ** 30, used: 33_445_566 },
      documents: { limit: 1_000_000, used: 12_345 },
      computeSecondsPerMinute: { limit: 120, used: 30.5 },
      jobsInFlight: { limit: 32, used: 2 },
      streams: { limit: 64, used: 0 },
    },
    windows: [
      { name: "minute", limit: 120, capacity: 240, remaining: 211, resetAt: at(14_000) },
      { name: "hour", limit: 5000, capacity: 5000, remaining: 3120, resetAt: at(1_500_000) },
      { name: "day", limit: 50_000, capacity: 50_000, remaining: 50_000, resetAt: at(0) },
    ],
    uses: [{ type: "mcp_calls", limit: 1000, used: 812, resetAt: at(9 * 86_400_000) }],
    server: { takesMore: false, memory: { usedBytes: 440_000_000, limitBytes: 450_000_000 } },
  };
}
