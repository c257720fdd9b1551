import { createDeletingProject } from "../accounts/closing/deleting-project.ts";
import { accountsHandlers } from "../accounts/handlers.ts";
import { namesOf } from "../accounts/names.ts";
import { createFailureBudget } from "../accounts/sign-in/failure-budget.ts";
import { inWords } from "../accounts/sign-in/sign-up.ts";
import { createAlerts } from "../alerts/alerts.ts";
import { failingWebhooks } from "../alerts/failing.ts";
import { alertsHandlers } from "../alerts/handlers.ts";
import { createAuditExport } from "../audit/export.ts";
import { auditHandlers } from "../audit/handlers.ts";
import { createAuditLog } from "../audit/log.ts";
import { gatewayHandlers } from "../gateway/handlers.ts";
import { createAccountDirectory } from "../metering/account-figures.ts";
import { createAuditAccess } from "../metering/audit-access.ts";
import { windowsLeft } from "../metering/bounds-report.ts";
import { createEntitlements, verifiableMs } from "../metering/entitlements.ts";
import { meteringHandlers } from "../metering/handlers.ts";
import { createLimitAlerts } from "../metering/limit-alerts.ts";
import { createSigningKeys } from "../metering/signing-keys/signing-keys.ts";
import { createRefusals } from "../metering/usage/refusals.ts";
import { createKeyUse } from "../metering/usage/reports/key-use.ts";
import { createRetention } from "../metering/usage/retention.ts";
import { createUsageViews } from "../metering/usage-views.ts";
import { createAuthorizationServer } from "../oauth/authorization-server.ts";
import { oauthHandlers } from "../oauth/handlers.ts";
import { projectSpace } from "../store/store.ts";
import { cachedFor } from "../system/caching.ts";
import { createFetchPublic } from "../system/network/fetch-public.ts";
import { createSendPublic } from "../system/network/public-request.ts";
import { urlChecker } from "../system/network/public-url.ts";
import { packageVersion } from "../system/package.ts";
import { watchLoopDelay } from "../system/processes/loop-delay.ts";
import { forgetReporter } from "../tools/observability/reporters.ts";
import { createReports } from "../tools/observability/reports.ts";
import { createSourceMaps } from "../tools/observability/source-maps/source-maps.ts";
import type { InstanceState } from "../web/console/instance.tsx";
import { allOrNone, type End } from "./all-or-none.ts";
import { serviceCounters } from "./collections.ts";
import { errorJobs } from "./compute/error-jobs.ts";
import { createWorkerPool } from "./compute/pool.ts";
import { upstreamPath } from "./gateway/upstream-path.ts";
import { createProjections } from "./indexing/projections.ts";
import { answeringStore } from "./operations/answering.ts";
import { handledByService, type ServiceHandlers } from "./operations/handlers.ts";
import { createPeopleServices } from "./people.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import type { ServicePorts } from "./service-ports.ts";
import { createTools } from "./tools/create-tools.ts";
import { emptyProject, toolsNamed } from "./tools/empty-project.ts";
import { projectMaking } from "./tools/project-making.ts";
import { unrestricted } from "./tools/tool-store.ts";

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Creates all services of the server from its ports. */
export const createServices = (ports: ServicePorts) => allOrNone((ends) => begin(ports, ends));

async function begin(ports: ServicePorts, ends: End[]) {
  const {
    store,
    boundedStore,
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
  const { audit, accounts, users, projects, apiKeys, signedInDevices, closing, exports } = people;
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
    send: ports.sendToWebhooks ?? createSendPublic(toWebhooks),
    checkUrl: urlChecker(toWebhooks.allowPrivate),
    post: people.post,
    onAttempt: ports.onWebhookAttempt,
    pagesUrl: verificationUrl,
    upgradeUrl: catalogue.upgradeUrl,
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
  const refusals = createRefusals({ bounded: ports.boundedPlainStore, store: plainStore, clock, log });

  const deleteProject = createDeletingProject({
    store: plainStore,
    audit,
    clock,
    projects,
    emptySpace: (space) => emptyProject(plainStore, space, [registry]),
    counters: serviceCounters,
    onProjectDeleted: forgetReporter,
  });
  const loopDelay = watchLoopDelay();

  /** Stops the background work. */
  const close = async (): Promise<void> => {
    await alerts.close();
    people.close();
    loopDelay.stop();
    workers.close();
    await Promise.all([projections.close(), usageRetention.stop(), refusals.close()]);
  };
  ends.push(close);

  const startedAt = clock.monotonic();
  // The loop delay is measured since the last reading, so all parts of a page must use the same reading.
  const keptState = cachedFor<InstanceState>(clock, { forMs: 1_000, most: 1 });
  const instanceState = () => keptState("", findState);
  const findState = async (): Promise<InstanceState> => ({
    version: packageVersion,
    up: clock.monotonic() - startedAt,
    storeBytes: await store.sizeBytes(),
    memory: store.headroom.describe(),
    processBytes: process.memoryUsage.rss(),
    jobs: workers.state(),
    failingWebhooks: await failingWebhooks(plainStore),
    loopDelay: loopDelay.take(),
    signUp: inWords(ports.ways.signUp),
    mail: ports.ways.mail !== undefined,
    providers: ports.ways.providers.map(({ name }) => name),
    passkeys: ports.ways.passkeys,
  });

  const keyUse = createKeyUse(plainStore, clock);
  const service: ServiceHandlers = {
    accounts: accountsHandlers({
      accounts,
      users,
      projects,
      apiKeys,
      signedInDevices,
      closing,
      exports,
      keyUse,
      plans: catalogue.tiers,
      deleteProject,
      async emptyProject(by, projectId, tool) {
        const named = toolsNamed(registry.tools, tool);
        // Audited first: an interrupted deletion has already deleted a part.
        const before = { tools: named.map(({ name }) => name) };
        await audit.transact(by, async (_, note) =>
          note({ action: "project.emptied", target: { kind: "project", id: projectId }, before }),
        );
        return emptyProject(store, projectSpace(by.accountId, projectId), named);
      },
    }),
    alerts: alertsHandlers(alerts),
    audit: auditHandlers({ log: auditLog, exported: exportAuditLog, access: auditAccess, clock }),
    oauth: oauthHandlers(oauth),
    metering: meteringHandlers({
      store,
      bounded: boundedStore,
      clock,
      random,
      catalogue,
      entitlements,
      projects,
      signingKeys,
      computeUse: workers.useOf,
      onCounted: ports.onCounted,
      openStreams: ports.openStreams,
    }),
    gateway: gatewayHandlers({
      store,
      clock,
      catalogue,
      rightsOf: entitlements.rightsFor,
      healthOf: ports.upstreamHealth,
      urlOf: (name) => baseUrl() + upstreamPath(name),
    }),
  };
  const sourceMaps = createSourceMaps({
    store: projectMaking(ports.boundedPlainStore, projects),
    clock,
    runJob: errorJobs(workers),
  });
  const tools = await createTools(registry.tools, {
    store: answeringStore(projectMaking(ports.boundedPlainStore, projects)),
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
    raise: (tx, alert) => alerts.sink.raiseIn(unrestricted(tx), alert),
  });
  const reports = createReports({
    store: ports.anonymousStore,
    random,
    sourceMaps,
    raise: alerts.sink.raiseIn,
  });
  return {
    alerts,
    watchLimits: createLimitAlerts({ alerts: alerts.sink, clock }),
    keyUse,
    accountDirectory: createAccountDirectory({
      store: plainStore,
      clock,
      windowsOf: (account) => windowsLeft(plainStore, catalogue, account),
    }),
    plans: catalogue.tiers,
    instanceState,
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
      /** Finds the project of a report. Reporting to a deleted project does not restore it. */
      async find(given: Parameters<typeof reports.find>[0]) {
        const project = await reports.find(given);
        return project && (await projects.isActive(project.accountId, project.projectId))
          ? project
          : undefined;
      },
    },
    close,
  };
}
