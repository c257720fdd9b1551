import { accountsHandlers } from "../accounts/handlers.ts";
import { namesOf } from "../accounts/names.ts";
import { alertsHandlers } from "../alerts/handlers.ts";
import { auditHandlers } from "../audit/handlers.ts";
import { gatewayHandlers } from "../gateway/handlers.ts";
import { meteringHandlers } from "../metering/handlers.ts";
import { oauthHandlers } from "../oauth/handlers.ts";
import { upstreamPath } from "./gateway/upstream-path.ts";
import { answeringStore } from "./operations/answering.ts";
import { type Handled, handledByService, type ServiceHandlers } from "./operations/handlers.ts";
import type { ServicePorts } from "./service-ports.ts";
import type { Services } from "./services.ts";
import { type BuiltInHandlers, createTools } from "./tools/create-tools.ts";
import { projectMaking } from "./tools/project-making.ts";
import { unrestricted } from "./tools/tool-store.ts";

export interface ApiHandlers {
  /** The handlers of the product's own endpoints, which the console uses as well. */
  handlers: ServiceHandlers & BuiltInHandlers;
  /** Every endpoint, those of further tools as well. */
  handled: Handled[];
}

/** Creates the handlers of every endpoint. */
export async function createHandlers(services: Services, ports: ServicePorts): Promise<ApiHandlers> {
  const service = serviceHandlers(services, ports);
  const { store, boundedPlainStore, registry, clock, random, baseUrl, models, otlpEndpoint } = ports;
  const { projects, entitlements, alerts } = services;
  const tools = await createTools(registry.tools, {
    ...{ clock, random, baseUrl, models, otlpEndpoint },
    store: answeringStore(projectMaking(boundedPlainStore, projects)),
    sourceMaps: services.sourceMaps,
    projections: services.projections,
    isGranted: entitlements.isGranted,
    namesOf: (accountId) => namesOf(store, accountId),
    getOrCreateProject: projects.getOrCreate,
    raise: (tx, alert) => alerts.sink.raiseIn(unrestricted(tx), alert),
  });
  return {
    handlers: { ...service, ...tools.handlers },
    handled: [...handledByService(service), ...tools.handled],
  };
}

function serviceHandlers(services: Services, ports: ServicePorts): ServiceHandlers {
  const { store, boundedStore, clock, random, catalogue, baseUrl, metrics } = ports;
  const { auditLog, exportAuditLog, auditAccess, entitlements, gateways } = services;
  return {
    accounts: accountsHandlers({ ...services, plans: catalogue.tiers }),
    alerts: alertsHandlers(services.alerts),
    audit: auditHandlers({ log: auditLog, exported: exportAuditLog, access: auditAccess, clock }),
    oauth: oauthHandlers(services),
    metering: meteringHandlers({
      ...{ store, clock, random, catalogue, entitlements },
      bounded: boundedStore,
      projects: services.projects,
      signingKeys: services.signingKeys,
      computeUse: services.workers.useOf,
      useLimits: services.useLimits,
      onCounted: metrics.counted,
      openStreams: services.eventStreams.openBy,
    }),
    gateway: gatewayHandlers({
      ...{ store, clock, catalogue },
      rightsOf: entitlements.rightsFor,
      healthOf: (name) => gateways.get(name)?.gateway.health ?? { circuit: "closed", lastFailure: undefined },
      urlOf: (name) => baseUrl() + upstreamPath(name),
    }),
  };
}
