import { createAccounts } from "../accounts/accounts.ts";
import { createClosing } from "../accounts/closing/closing.ts";
import { deleteClosedAccounts } from "../accounts/closing/deleting.ts";
import { exportPage } from "../accounts/closing/export.ts";
import { createApiKeys } from "../accounts/credentials/api-keys.ts";
import { createCredentials } from "../accounts/credentials/credentials.ts";
import { createEndedKeysSweep } from "../accounts/credentials/ending.ts";
import { createLastUse } from "../accounts/credentials/last-use.ts";
import { createOutsideUse } from "../accounts/credentials/outside-use.ts";
import { createTokenFamilies } from "../accounts/credentials/token-families.ts";
import { accountsHandlers } from "../accounts/handlers.ts";
import { namesOf } from "../accounts/names.ts";
import { nameOfActor } from "../accounts/people.ts";
import { createProjects } from "../accounts/projects.ts";
import { createBrowserSessions } from "../accounts/sign-in/browser-sessions.ts";
import { createFailureBudget } from "../accounts/sign-in/failure-budget.ts";
import { createLinkMail } from "../accounts/sign-in/link-mail.ts";
import { createNewcomers } from "../accounts/sign-in/newcomers.ts";
import { createPasswords } from "../accounts/sign-in/passwords.ts";
import { createSignIn } from "../accounts/sign-in/sign-in.ts";
import { createSignInLinks } from "../accounts/sign-in/sign-in-links.ts";
import { createUsers } from "../accounts/users.ts";
import { createAuditExport } from "../audit/export.ts";
import { auditHandlers } from "../audit/handlers.ts";
import { createAuditLog } from "../audit/log.ts";
import { createAuditTrail } from "../audit/trail.ts";
import { gatewayHandlers } from "../gateway/handlers.ts";
import type { CircuitState } from "../gateway/upstreams/circuit.ts";
import { createPost } from "../mail/post.ts";
import { createSmtp } from "../mail/smtp.ts";
import { createAuditAccess } from "../metering/audit-access.ts";
import type { BoundsPorts } from "../metering/bounds-report.ts";
import { createEntitlements, verifiableMs } from "../metering/entitlements.ts";
import { meteringHandlers } from "../metering/handlers.ts";
import type { Catalogue } from "../metering/plans.ts";
import { createSigningKeys } from "../metering/signing-keys.ts";
import { createAuthorizationServer } from "../oauth/authorization-server.ts";
import { oauthHandlers } from "../oauth/handlers.ts";
import type { Resource } from "../oauth/resources.ts";
import { type Collection, projectSpace, type Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { createFetchPublic } from "../system/fetch-public.ts";
import type { Log } from "../system/log.ts";
import { packageVersion } from "../system/package.ts";
import type { Random } from "../system/random.ts";
import { changeParticipation } from "../tools/learning/participation.ts";
import type { Catalogue as Models } from "../tools/models/catalogue/catalogue.ts";
import { createReports } from "../tools/observability/reports.ts";
import { createWorkerPool } from "./compute/pool.ts";
import { upstreamPath } from "./gateway/upstream-path.ts";
import { createProjections } from "./indexing/projections.ts";
import { answeringStore } from "./operations/answering.ts";
import { handledByService, type ServiceHandlers } from "./operations/handlers.ts";
import { idempotencyKeys, idempotencySteps } from "./operations/idempotency.ts";
import { toolsKnown } from "./pipeline/bound-tools.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import { createTools } from "./tools/create-tools.ts";
import { emptyProject, toolsNamed } from "./tools/empty-project.ts";
import { projectMaking } from "./tools/project-making.ts";
import type { Registry } from "./tools/registry.ts";
import type { WaysIn } from "./ways-in.ts";

export interface ServicePorts extends Pick<BoundsPorts, "openStreams"> {
  /** Keeps the answers of idempotent requests with what they write. */
  store: Store;
  /** The same for what people can make grow: keeps accounts within their bounds. */
  bounded: Store;
  /** Beneath it. */
  boundedPlain: Store;
  /** For what strangers write into an account. */
  boundedForStrangers: Store;
  /** Beneath it: for what a request does beside its own effect. */
  plainStore: Store;
  clock: Clock;
  log: Log;
  random: Random;
  catalogue: Catalogue;
  models: Models;
  ownerKey: string | undefined;
  /** What tokens can be issued for. */
  resources: readonly Resource[];
  /** How people may come in. */
  ways: WaysIn;
  /** Whether OAuth clients may register themselves. */
  clientRegistration: boolean;
  /** For development: OAuth clients whose ids are URLs of this machine and its networks. */
  privateClients: boolean;
  baseUrl: () => string;
  verificationUrl: () => string;
  otlpEndpoint: string | undefined;
  registry: Registry;
  /** Whether an MCP server behind this one is reached. */
  upstreamState: (upstream: string) => CircuitState;
}

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Everything that the server is made of, built once from its ports. */
export async function createServices(ports: ServicePorts) {
  const {
    store,
    bounded,
    plainStore,
    clock,
    log,
    random,
    catalogue,
    ownerKey,
    registry,
    baseUrl,
    verificationUrl,
    otlpEndpoint,
  } = ports;
  const plans = catalogue.tiers;
  const noteUse = createLastUse({ store: plainStore, clock });
  const audit = createAuditTrail({ store, nameOf: nameOfActor, clock, random, log });
  const plainAudit = createAuditTrail({ store: plainStore, nameOf: nameOfActor, clock, random, log });
  const links = createSignInLinks({ clock, random, baseUrl: verificationUrl });
  const projects = createProjects({
    store: plainStore,
    audit: plainAudit,
    clock,
    plans,
    onLearningChange: (tx, { takesPart, ...who }) =>
      changeParticipation(tx, who, { takesPart, now: clock.now(), chance: random.bytes(32) }),
  });
  const newcomers = createNewcomers({
    store,
    clock,
    random,
    rule: ports.ways.signUp,
    plan: (plans[0] as (typeof plans)[number]).id,
    subjectOf,
  });
  const post = ports.ways.mail && createPost({ deliver: createSmtp(ports.ways.mail), clock, log });
  const linkMail = post && createLinkMail({ store, clock, post, links, newcomers, subjectOf });
  const users = createUsers({ store, audit, clock, random, links, linkMail });
  const apiKeys = createApiKeys({
    store,
    audit,
    clock,
    random,
    projects,
    knowsTool: toolsKnown(
      registry.endpoints.map(({ name }) => name),
      (catalogue.upstreams ?? []).map(({ name }) => name),
    ),
  });
  const theirs = registry.collections.filter(isTheirs);
  const exportAccount = (accountId: string, cursor: string | undefined) =>
    exportPage(store, accountId, theirs, cursor);
  const closing = createClosing({ store, audit, clock });
  const deleting = deleteClosedAccounts({
    store: plainStore,
    audit: plainAudit,
    clock,
    log,
    collections: registry.collections,
  });
  const endpointNames = registry.endpoints.map(({ name }) => name);
  const accounts = createAccounts({ store, audit, clock, random, links, linkMail, plans, endpointNames });
  const sessions = createBrowserSessions({ store, audit, clock, random, noteUse });
  const passwords = createPasswords({ random });
  const signIn = createSignIn({
    store,
    audit,
    clock,
    random,
    sessions,
    links,
    newcomers,
    passwords,
    failures: createFailureBudget({ store, clock, purpose: "password" }),
    subjectOf,
  });
  const signingKeys = createSigningKeys({ store, clock, retainMs: verifiableMs(catalogue) });
  const oauth = createAuthorizationServer({
    store,
    clock,
    random,
    issuer: baseUrl,
    verificationUrl,
    resources: ports.resources,
    catalogueClients: catalogue.clients,
    clientRegistration: ports.clientRegistration,
    privateClients: ports.privateClients,
    fetch: createFetchPublic({
      allowPrivate: ports.privateClients,
      timeoutMs: 5_000,
      maxBytes: 64 * 1024,
      userAgent: `toolplane/${packageVersion}`,
    }),
    codeFailures: createFailureBudget({ store, clock, purpose: "user-code" }),
    subjectOf,
    sign: signingKeys.sign,
  });
  const entitlements = createEntitlements({ store, clock, catalogue, signingKeys, issuer: baseUrl });
  const workers = createWorkerPool({ path: "server/compute/compute-worker.ts", clock, log });
  const projections = createProjections({ store: plainStore, clock, log, modules: registry.projections });

  const auditLog = createAuditLog({ store });
  const exportAuditLog = createAuditExport(auditLog);
  const auditAccess = createAuditAccess({ store, catalogue });

  const service: ServiceHandlers = {
    accounts: accountsHandlers({
      accounts,
      users,
      projects,
      apiKeys,
      closing,
      exportAccount,
      emptyProject: (accountId, projectId, tool) =>
        emptyProject(store, projectSpace(accountId, projectId), toolsNamed(registry.tools, tool)),
    }),
    audit: auditHandlers({ log: auditLog, exported: exportAuditLog, access: auditAccess, clock }),
    oauth: oauthHandlers(oauth),
    metering: meteringHandlers({
      store,
      bounded,
      clock,
      random,
      catalogue,
      entitlements,
      projects,
      computeUse: workers.useOf,
      openStreams: ports.openStreams,
    }),
    gateway: gatewayHandlers({
      store,
      clock,
      catalogue,
      rightsOf: entitlements.rightsFor,
      stateOf: ports.upstreamState,
      urlOf: (name) => baseUrl() + upstreamPath(name),
    }),
  };
  const tools = await createTools(registry.tools, {
    store: answeringStore(projectMaking(ports.boundedPlain, projects)),
    projections,
    clock,
    random,
    baseUrl,
    isGranted: entitlements.isGranted,
    namesOf: (accountId) => namesOf(store, accountId),
    models: ports.models,
    otlpEndpoint,
    getOrCreateProject: projects.getOrCreate,
  });
  return {
    handlers: { ...service, ...tools.handlers },
    handled: [...handledByService(service), ...tools.handled],
    auditLog,
    exportAuditLog,
    auditAccess,
    workers,
    projections,
    closing,
    exportAccount,
    links,
    linkMail,
    newcomers,
    passwords,
    users,
    projects,
    apiKeys,
    signIn,
    ...oauth,
    entitlements,
    upstreams: (catalogue.upstreams ?? []).map(({ name, title = name, description }) => ({
      name,
      title,
      description,
    })),
    signingKeys,
    reports: createReports({ store: ports.boundedForStrangers, random }),
    credentials: createCredentials({
      store,
      noteUse,
      ownerKey,
      onEndedKeys: createEndedKeysSweep(plainStore),
      onOutside: createOutsideUse({ store: plainStore, audit: plainAudit, clock }),
    }),
    tokenFamilies: createTokenFamilies({ store, audit }),
    /** Ends what goes on beside requests. */
    async close() {
      deleting.stop();
      post?.close();
      workers.close();
      await projections.close();
    },
  };
}

/** Kept answers are for whoever repeats the request, and may hold secrets that were shown once. */
function isTheirs(collection: Collection<unknown>): boolean {
  return collection !== idempotencyKeys && collection !== idempotencySteps;
}
