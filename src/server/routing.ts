import type { Method } from "../contract/endpoint.ts";
import { boundsIn } from "../metering/limits/bounds.ts";
import type { Windows } from "../metering/limits/windows.ts";
import { serviceNameIn } from "../metering/plans.ts";
import { once } from "../system/caching.ts";
import { packageVersion } from "../system/package.ts";
import type { AppPorts } from "./app-ports.ts";
import { gatewayRoutes } from "./gateway/gateway-routes.ts";
import { createHeldMessages } from "./mcp/held-messages.ts";
import { mcpRoute } from "./mcp/mcp-route.ts";
import { createMcpTasks } from "./mcp/mcp-tasks.ts";
import { createMcpUsage } from "./mcp/mcp-usage.ts";
import { openApiDocument } from "./openapi/document.ts";
import { OAUTH_OPERATIONS } from "./openapi/oauth.ts";
import { type ApiOperation, apiOperation } from "./operations/api-operation.ts";
import { apiRoute } from "./operations/api-route.ts";
import { checkLimitNames } from "./operations/check-limit-names.ts";
import { checkingProblems } from "./operations/checking-problems.ts";
import type { Handled } from "./operations/handlers.ts";
import { createIdempotency } from "./operations/idempotency.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import type { LimitEnforcer } from "./pipeline/enforce-limits.ts";
import type { Failure } from "./pipeline/failure.ts";
import type { Route } from "./pipeline/route.ts";
import { createRouter, type Router } from "./pipeline/router.ts";
import { addPreflights } from "./routes/any-origin.ts";
import { errorReportRoutes } from "./routes/error-reports.ts";
import { oauthRoutes } from "./routes/oauth-routes.ts";
import { createReadiness } from "./routes/readiness.ts";
import { type DescribedRoute, serviceRoutes } from "./routes/service-routes.ts";
import { sourceMapUploadRoutes } from "./routes/source-map-uploads.ts";
import type { Services } from "./services.ts";
import type { Stores } from "./stores.ts";
import type { Metrics } from "./telemetry/metrics.ts";

export interface Routing {
  /** Every route of the API, of OAuth and of MCP. */
  routes: Router<Route>;
  /** The OpenAPI document. */
  openApi(): Record<string, unknown>;
  /** Writes what is left. */
  close(): Promise<void>;
}

export interface RoutingPorts
  extends Pick<AppPorts, "clock" | "random" | "log" | "catalogue" | "registry" | "baseUrl" | "checkOutputs">,
    Pick<Stores, "store" | "boundedPlainStore" | "plainStore"> {
  services: Services;
  handled: readonly Handled[];
  metrics: Metrics;
  windows: Windows;
  enforcer: LimitEnforcer;
  failure: Failure;
}

/** Gives each declared endpoint its route, and adds the routes that are described by hand. */
export function createRouting(ports: RoutingPorts): Routing {
  const { clock, random, log, catalogue, baseUrl, services, metrics, windows, enforcer, failure } = ports;
  const { store, boundedPlainStore, plainStore } = ports;
  const { endpoints } = ports.registry;
  const getOrCreateProject = services.projects.getOrCreate;
  const routes = createRouter<Route>();

  const idempotency = createIdempotency({ store: plainStore, claims: boundedPlainStore, clock });
  const operationPorts = {
    idempotency,
    eventStreams: services.eventStreams,
    workers: services.workers,
    boundsOf: boundsIn(catalogue),
    checkOutputs: ports.checkOutputs ?? false,
  };
  const checked = ports.checkOutputs ? checkingProblems : (operation: ApiOperation) => operation;
  const operations = new Map<string, ApiOperation>();
  for (const each of ports.handled) {
    const { name, method, path } = each.endpoint;
    const operation = checked(apiOperation(each, operationPorts));
    operations.set(name, operation);
    routes.add(method as Method, path, apiRoute(operation));
  }

  const tasks = createMcpTasks({ store: boundedPlainStore, plainStore, clock, random, log });
  const holdMessage = createHeldMessages();
  const upstreams = gatewayRoutes({ ...services, baseUrl, holdMessage });
  const reporting = errorReportRoutes({
    ...services,
    enforcer,
    clock,
    limit: catalogue.endpoints["observability.report"],
  });
  const described: DescribedRoute[] = [
    ...reporting.described,
    ...sourceMapUploadRoutes({ ...services, clock, baseUrl }),
    ...oauthRoutes({
      ...services,
      issuer: baseUrl,
      serviceName: serviceNameIn(catalogue),
      subjectOf,
      jwks: () => services.signingKeys.jwks(),
    }),
    ...serviceRoutes({
      readiness: createReadiness({ store, compute: services.workers, growth: store.headroom, clock, log }),
      metrics,
      openApi: () => openApiText(),
    }),
    mcpRoute({
      ...{ operations, endpoints, windows, enforcer, failure, tasks, holdMessage, log, baseUrl, clock },
      usage: createMcpUsage({
        ...{ store, clock, getOrCreateProject, onCounted: metrics.counted },
        useLimits: services.useLimits,
      }),
    }),
    ...upstreams.described,
  ];
  for (const { method, path, route } of described) routes.add(method, path, route);
  reporting.addPreflights(routes);
  addPreflights(routes, described);
  upstreams.addUpstreams(routes);
  // A plans file may also limit OAuth operations that are turned off.
  const oauthNames = Object.keys(OAUTH_OPERATIONS).map((name) => ({ name }));
  const named = [...oauthNames, ...described.map(({ route }) => route), ...upstreams.names, ...endpoints];
  checkLimitNames(catalogue, named);

  const openApi: Routing["openApi"] = once(() =>
    openApiDocument(endpoints, described, { baseUrl: baseUrl(), version: packageVersion }),
  );
  const openApiText = once(() => JSON.stringify(openApi()));
  return {
    routes,
    openApi,
    async close() {
      await Promise.all([idempotency.close(), tasks.close()]);
    },
  };
}
