import { createDeletingProject } from "../accounts/deleting-project.ts";
import { accountsHandlers } from "../accounts/handlers.ts";
import { namesOf } from "../accounts/names.ts";
import { createFailureBudget } from "../accounts/sign-in/failure-budget.ts";
import { createAlerts } from "../alerts/alerts.ts";
import { alertsHandlers } from "../alerts/handlers.ts";
import { createAuditExport } from "../audit/export.ts";
import { auditHandlers } from "../audit/handlers.ts";
import { createAuditLog } from "../audit/log.ts";
import { gatewayHandlers } from "../gateway/handlers.ts";
import type { CircuitState } from "../gateway/upstreams/circuit.ts";
import { createAccountDirectory } from "../metering/account-figures.ts";
import { createAuditAccess } from "../metering/audit-access.ts";
import type { BoundsPorts } from "../metering/bounds-report.ts";
import { createEntitlements, verifiableMs } from "../metering/entitlements.ts";
import { meteringHandlers } from "../metering/handlers.ts";
import { createLimitAlerts } from "../metering/limit-alerts.ts";
import type { Catalogue } from "../metering/plans.ts";
import { createSigningKeys } from "../metering/signing-keys.ts";
import { createKeyUse } from "../metering/usage/key-use.ts";
import { createRefusals } from "../metering/usage/refusals.ts";
import { createRetention } from "../metering/usage/retention.ts";
import { createUsageViews } from "../metering/usage-views.ts";
import { createAuthorizationServer } from "../oauth/authorization-server.ts";
import { oauthHandlers } from "../oauth/handlers.ts";
import type { Resource } from "../oauth/resources.ts";
import { projectSpace, type Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { createFetchPublic } from "../system/fetch-public.ts";
import type { Log } from "../system/log.ts";
import { packageVersion } from "../system/package.ts";
import { createSendPublic, urlChecker } from "../system/public-request.ts";
import type { Random } from "../system/random.ts";
import type { Catalogue as Models } from "../tools/models/catalogue/catalogue.ts";
import { createReports } from "../tools/observability/reports.ts";
import { createSourceMaps } from "../tools/observability/source-maps/source-maps.ts";
import { serviceCounters } from "./collections.ts";
import { errorJobs } from "./compute/error-jobs.ts";
import { createWorkerPool } from "./compute/pool.ts";
import { upstreamPath } from "./gateway/upstream-path.ts";
import { createProjections } from "./indexing/projections.ts";
import { answeringStore } from "./operations/answering.ts";
import { handledByService, type ServiceHandlers } from "./operations/handlers.ts";
import { createPeopleServices } from "./people.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import { createTools } from "./tools/create-tools.ts";
import { emptyProject, toolsNamed } from "./tools/empty-project.ts";
import { projectMaking } from "./tools/project-making.ts";
import type { Registry } from "./tools/registry.ts";
import { beneath } from "./tools/tool-store.ts";
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
  localSecret?: string | undefined;
  /** What tokens can be issued for. */
  resources: readonly Resource[];
  /** How people may come in. */
  ways: WaysIn;
  /** Whether OAuth clients may register themselves. */
  clientRegistration: boolean;
  /** For development: OAuth clients whose ids are URLs of this machine and its networks. */
  privateClients: boolean;
  /** For development: webhooks to this machine and its networks. */
  privateWebhooks?: boolean | undefined;
  baseUrl: () => string;
  verificationUrl: () => string;
  otlpEndpoint: string | undefined;
  registry: Registry;
  /** Hears of each entry of the audit log … */
  onAudited: (entry: { action: string; outcome: string }) => void;
  /** … and of each use that was counted. */
  onCounted: (type: string, count: number) => void;
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
    registry,
    baseUrl,
    verificationUrl,
    otlpEndpoint,
  } = ports;
  const people = createPeopleServices({ ...ports, alerts: { raise: (alert) => alerts.sink.raise(alert) } });
  const { audit, accounts, users, projects, apiKeys, closing, exportAccount } = people;
  const toWebhooks = {
    allowPrivate: ports.privateWebhooks ?? false,
    timeoutMs: 15_000,
    userAgent: `toolplane/${packageVersion}`,
  };
  const alerts = createAlerts({
    store,
    audit,
    plainStore,
    clock,
    random,
    log,
    send: createSendPublic(toWebhooks),
    checkUrl: urlChecker(toWebhooks.allowPrivate),
    post: people.post,
    pagesUrl: verificationUrl,
  });
  const signingKeys = createSigningKeys({ store, audit, clock, retainMs: verifiableMs(catalogue) });
  const oauth = createAuthorizationServer({
    store,
    audit,
    clock,
    random,
    issuer: baseUrl,
    verificationUrl,
    resources: ports.resources,
    catalogueClients: catalogue.clients,
    clientRegistration: ports.clientRegistration,
    localSecret: ports.localSecret,
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

  const usageRetention = createRetention({ store: plainStore, clock, log });
  const refusals = createRefusals({ bounded: ports.boundedPlain, store: plainStore, clock, log });

  const deleteProject = createDeletingProject({
    store: plainStore,
    audit,
    clock,
    projects,
    emptySpace: (space) => emptyProject(plainStore, space, [registry]),
    counters: serviceCounters,
  });
  const keyUse = createKeyUse(plainStore, clock);
  const service: ServiceHandlers = {
    accounts: accountsHandlers({
      accounts,
      users,
      projects,
      apiKeys,
      closing,
      exportAccount,
      keyUse,
      deleteProject,
      async emptyProject(by, projectId, tool) {
        const named = toolsNamed(registry.tools, tool);
        // First, since what is deleted is gone in parts.
        await audit.transact(by, async (_, note) =>
          note({ action: "project.emptied", target: { kind: "project", id: projectId }, after: { tool } }),
        );
        return emptyProject(store, projectSpace(by.accountId, projectId), named);
      },
    }),
    alerts: alertsHandlers(alerts),
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
      onCounted: ports.onCounted,
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
  const sourceMaps = createSourceMaps({
    store: projectMaking(ports.boundedPlain, projects),
    clock,
    runJob: errorJobs(workers),
  });
  const tools = await createTools(registry.tools, {
    store: answeringStore(projectMaking(ports.boundedPlain, projects)),
    sourceMaps,
    projections,
    clock,
    random,
    baseUrl,
    isGranted: entitlements.isGranted,
    namesOf: (accountId) => namesOf(store, accountId),
    models: ports.models,
    otlpEndpoint,
    getOrCreateProject: projects.getOrCreate,
    raise: (tx, alert) => alerts.sink.raiseIn(beneath(tx), alert),
  });
  const reports = createReports({
    store: ports.boundedForStrangers,
    random,
    sourceMaps,
    raise: alerts.sink.raiseIn,
  });
  return {
    alerts,
    watchLimits: createLimitAlerts({ alerts: alerts.sink, clock }),
    keyUse,
    accountDirectory: createAccountDirectory({ store: plainStore, clock }),
    plans: catalogue.tiers,
    storageOf: (accountId: string) => store.storageOf(accountId),
    usageViews: createUsageViews({ store: plainStore, clock }),
    handlers: { ...service, ...tools.handlers },
    handled: [...handledByService(service), ...tools.handled],
    auditLog,
    exportAuditLog,
    auditAccess,
    workers,
    projections,
    refusals,
    ...people,
    ...oauth,
    entitlements,
    upstreams: (catalogue.upstreams ?? []).map(({ name, title = name, description }) => ({
      name,
      title,
      description,
    })),
    signingKeys,
    sourceMaps,
    reports: {
      ...reports,
      /** Nobody brings a project back by reporting to it. */
      async find(given: Parameters<typeof reports.find>[0]) {
        const project = await reports.find(given);
        return project && (await projects.isActive(project.accountId, project.projectId))
          ? project
          : undefined;
      },
    },
    /** Ends what goes on beside requests. */
    async close() {
      await alerts.close();
      people.close();
      workers.close();
      await Promise.all([projections.close(), usageRetention.stop(), refusals.close()]);
    },
  };
}
