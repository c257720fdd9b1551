import { createDeletingProject } from "../accounts/closing/deleting-project.ts";
import { createFailureBudget } from "../accounts/sign-in/failure-budget.ts";
import { createAlerts } from "../alerts/alerts.ts";
import { createAuditExport } from "../audit/export.ts";
import { createAuditLog } from "../audit/log.ts";
import { IDENTITY_MS } from "../gateway/identity.ts";
import { createAccountDirectory } from "../metering/account-figures.ts";
import { createAuditAccess } from "../metering/audit-access.ts";
import { createEntitlements, usableMs } from "../metering/entitlements.ts";
import { boundsIn } from "../metering/limits/bounds.ts";
import { windowsLeft } from "../metering/limits/bounds-report.ts";
import { createLimitAlerts } from "../metering/limits/limit-alerts.ts";
import { createUseLimits } from "../metering/limits/use-limits.ts";
import { createSigningKeys } from "../metering/signing-keys/signing-keys.ts";
import { createRefusals } from "../metering/usage/refusals.ts";
import { createKeyUse } from "../metering/usage/reports/key-use.ts";
import { createUsageViews } from "../metering/usage/reports/usage-views.ts";
import { createRetention } from "../metering/usage/retention.ts";
import { createAuthorizationServer } from "../oauth/authorization-server.ts";
import { ID_TOKEN_MS } from "../oauth/identity.ts";
import { createFetchPublic } from "../system/network/fetch-public.ts";
import { createSendPublic } from "../system/network/public-request.ts";
import { urlChecker } from "../system/network/public-url.ts";
import { packageVersion } from "../system/package.ts";
import { forgetReporter } from "../tools/observability/reporters.ts";
import { createReports } from "../tools/observability/reports.ts";
import { createSourceMaps } from "../tools/observability/source-maps/source-maps.ts";
import { allOrNone, type End, endAll } from "./all-or-none.ts";
import { errorJobs } from "./compute/error-jobs.ts";
import { createWorkerPool } from "./compute/pool.ts";
import { createGateways } from "./gateway/gateways.ts";
import { createProjections } from "./indexing/projections.ts";
import { watchInstance } from "./instance-state.ts";
import { createEventStreams } from "./operations/event-streams.ts";
import { createPeopleServices } from "./people.ts";
import { validityOf } from "./pipeline/authenticate.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import { resourcesOf } from "./resources.ts";
import type { ServicePorts } from "./service-ports.ts";
import { createEmptyingProject, emptySpace } from "./tools/empty-project.ts";
import { projectMaking } from "./tools/project-making.ts";

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Creates all services of the server from its ports. */
export const createServices = (ports: ServicePorts) => allOrNone((ends) => begin(ports, ends));

async function begin(ports: ServicePorts, ends: End[]) {
  const { store, plainStore, clock, log, random, catalogue, registry, metrics, baseUrl, verificationUrl } =
    ports;
  const people = createPeopleServices({
    ...ports,
    alerts: {
      raise: (alert) => alerts.sink.raise(alert),
      raiseIn: (tx, alert) => alerts.sink.raiseIn(tx, alert),
    },
  });
  const { audit, projects } = people;
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
    onAttempt: metrics.attempted,
    pagesUrl: verificationUrl,
    upgradeUrl: catalogue.upgradeUrl,
  });
  const signingKeys = createSigningKeys({
    store,
    audit,
    clock,
    lifetimeMs: Math.max(usableMs(catalogue), ID_TOKEN_MS, IDENTITY_MS),
    needsRsa: Object.values(catalogue.clients).some(
      ({ idTokenSignedResponseAlg }) => idTokenSignedResponseAlg === "RS256",
    ),
  });
  const oauth = createAuthorizationServer({
    store,
    audit,
    clock,
    random,
    issuer: baseUrl,
    verificationUrl,
    resources: resourcesOf(catalogue),
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
    signAs: signingKeys.signAs,
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
    emptySpace: (space) => emptySpace(plainStore, space, [registry]),
    onProjectDeleted: forgetReporter,
  });
  const emptyProject = createEmptyingProject({ store, audit, tools: registry.tools });
  const instance = watchInstance({ store: plainStore, clock, ways: ports.ways, jobs: workers.state });
  const isValid = validityOf(people.credentials);
  const eventStreams = createEventStreams({
    clock,
    isValid,
    boundOf: (account) => boundsIn(catalogue)(account).streams,
  });
  ends.push(async () => {
    eventStreams.stop();
    await alerts.close();
    people.close();
    instance.stop();
    workers.close();
    await Promise.all([projections.close(), usageRetention.stop(), refusals.close()]);
  });
  const { watchLimits, watchUses } = createLimitAlerts({ alerts: alerts.sink, clock });
  const useLimits = createUseLimits({ store: plainStore, clock, catalogue, watch: watchUses });
  const gateways = await createGateways({
    ...{ store: plainStore, clock, log, random, catalogue, baseUrl, metrics },
    services: { entitlements, signingKeys, projects, alerts, useLimits },
  });
  for (const { gateway } of gateways.values()) ends.push(gateway.close);

  const keyUse = createKeyUse(plainStore, clock);
  const sourceMaps = createSourceMaps({
    store: projectMaking(ports.boundedPlainStore, projects),
    clock,
    runJob: errorJobs(workers),
  });
  const reports = createReports({
    store: ports.anonymousStore,
    random,
    sourceMaps,
    raise: alerts.sink.raiseIn,
  });
  return {
    alerts,
    deleteProject,
    emptyProject,
    watchLimits,
    useLimits,
    keyUse,
    accountDirectory: createAccountDirectory({
      store: plainStore,
      clock,
      windowsOf: (account) => windowsLeft(plainStore, catalogue, account),
      usesOf: useLimits.all,
    }),
    plans: catalogue.tiers,
    instanceState: instance.state,
    storageOf: (accountId: string) => store.storageOf(accountId),
    usageViews: createUsageViews({ store: plainStore, clock }),
    auditLog,
    exportAuditLog,
    auditAccess,
    workers,
    projections,
    refusals,
    eventStreams,
    gateways,
    isValid,
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
    /** Ends what goes on by itself. */
    close: () => endAll(ends),
  };
}
