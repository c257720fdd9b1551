import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import type { Account } from "../accounts/model.ts";
import type { Method } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import { boundedStore } from "../metering/bounded-store.ts";
import { effectiveBounds } from "../metering/bounds.ts";
import { serviceNameIn, tierOf } from "../metering/plans.ts";
import { createWindows } from "../metering/windows.ts";
import { once } from "../system/caching.ts";
import { packageVersion } from "../system/package.ts";
import { createBrowserCookie } from "../web/browser-cookie.ts";
import { allOrNone, type End } from "./all-or-none.ts";
import type { AppPorts } from "./app-ports.ts";
import { gatewayRoutes } from "./gateway/gateway-routes.ts";
import { createGateways } from "./gateway/gateways.ts";
import { createHeldMessages } from "./mcp/held-messages.ts";
import { mcpRoute } from "./mcp/mcp-route.ts";
import { createMcpTasks } from "./mcp/mcp-tasks.ts";
import { createMcpUsage } from "./mcp/mcp-usage.ts";
import { openApiDocument } from "./openapi/document.ts";
import { OAUTH_OPERATIONS } from "./openapi/oauth.ts";
import { answeringStore } from "./operations/answering.ts";
import { type ApiOperation, apiOperation } from "./operations/api-operation.ts";
import { apiRoute } from "./operations/api-route.ts";
import { checkLimitNames } from "./operations/check-limit-names.ts";
import { checkingProblems } from "./operations/checking-problems.ts";
import { createEventStreams } from "./operations/event-streams.ts";
import { createIdempotency } from "./operations/idempotency.ts";
import { send } from "./pipeline/answer.ts";
import { validityOf } from "./pipeline/authenticate.ts";
import { addressReader, subjectOf } from "./pipeline/client-address.ts";
import { createLimitEnforcer } from "./pipeline/enforce-limits.ts";
import type { Identity } from "./pipeline/exchange.ts";
import { createFailure } from "./pipeline/failure.ts";
import { createKernel, type Next } from "./pipeline/kernel.ts";
import { type RawAnswer, rawRefusal } from "./pipeline/raw-answer.ts";
import { createBodies } from "./pipeline/request-body.ts";
import { targetOf } from "./pipeline/request-target.ts";
import type { Route } from "./pipeline/route.ts";
import { createRouter } from "./pipeline/router.ts";
import { resourcesOf } from "./resources.ts";
import { addPreflights } from "./routes/any-origin.ts";
import { errorReportRoutes } from "./routes/error-reports.ts";
import { oauthRoutes } from "./routes/oauth-routes.ts";
import { createPages } from "./routes/pages.ts";
import { createReadiness } from "./routes/readiness.ts";
import { type DescribedRoute, serviceRoutes } from "./routes/service-routes.ts";
import { sourceMapUploadRoutes } from "./routes/source-map-uploads.ts";
import { createServices, type Services } from "./services.ts";
import { createErrorRecorder } from "./telemetry/error-recorder.ts";
import { createMetrics } from "./telemetry/metrics.ts";

export interface App {
  /** Answers a request. Paths that the app does not know go to `next`, if it is given. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void;
  services: Services;
  /** The OpenAPI document. */
  openApi(): Record<string, unknown>;
  /** Returns the answer to bytes from an address that could not be parsed as a request. */
  refuseUnparsed(address: string | undefined, problem: Problem): Promise<RawAnswer>;
  /** Ends the streams of events, which otherwise last as long as their clients. */
  endStreams(): void;
  /** Ends the worker processes and writes what is left, once no request is in flight. The caller closes the store. */
  close(): Promise<void>;
}

/** Creates the whole control plane. */
export const createApp = (ports: AppPorts): Promise<App> => allOrNone((ends) => begin(ports, ends));

async function begin(ports: AppPorts, ends: End[]): Promise<App> {
  const { clock, random, log, catalogue, registry, baseUrl } = ports;
  const { endpoints } = registry;
  const resources = resourcesOf(catalogue);
  const store = answeringStore(ports.store);
  const metrics = createMetrics({ clock, store: ports.store });
  const boundsFor = ({ plan, limits }: Pick<Account, "plan" | "limits">) =>
    effectiveBounds(tierOf(catalogue, plan), limits);
  const { upgradeUrl } = catalogue;
  const quota = { store: ports.store, boundsOf: boundsFor, onRefused: metrics.refused, upgradeUrl };
  const boundedPlainStore = boundedStore(quota);
  const services = await createServices({
    ...ports,
    store,
    // The answers kept for idempotent requests count towards the bounds, too.
    boundedStore: answeringStore(boundedPlainStore),
    boundedPlainStore,
    anonymousStore: boundedStore({ ...quota, hidesDetails: true }),
    plainStore: ports.store,
    resources,
    onAudited: metrics.audited,
    onCounted: metrics.counted,
    onLetter: metrics.lettered,
    onWebhookAttempt: metrics.attempted,
    openStreams: (credentialId) => eventStreams.openBy(credentialId),
    upstreamHealth: (name) =>
      gateways.get(name)?.gateway.health ?? { circuit: "closed", lastFailure: undefined },
  });
  ends.push(services.close);
  const getOrCreateProject = services.projects.getOrCreate;
  const windows = createWindows({
    planOf: (plan) => tierOf(catalogue, plan),
    upgradeUrl,
    endpointLimits: catalogue.endpoints,
    anonymousPerMinute: catalogue.anonymous.requestsPerMinute,
    controlPerMinute: catalogue.control.requestsPerMinute,
  });
  const { refusals, watchLimits } = services;
  const enforcer = createLimitEnforcer({ store, clock, noteRefusal: refusals.note, watchLimits });
  const addressOf = addressReader(ports.trustProxy);
  const cookie = createBrowserCookie({ baseUrl: ports.verificationUrl, random, clock });

  const reporting = errorReportRoutes({
    ...services,
    enforcer,
    clock,
    limit: catalogue.endpoints["observability.report"],
  });
  const isValid = validityOf(services.credentials);
  const gateways = await createGateways({ ...ports, store: ports.store, services, metrics });
  for (const { gateway } of gateways.values()) ends.push(gateway.close);
  const holdMessage = createHeldMessages();
  const upstreams = gatewayRoutes({ gateways, baseUrl, isValid, holdMessage });
  const operations = new Map<string, ApiOperation>();
  const checked = ports.checkOutputs ? checkingProblems : (operation: ApiOperation) => operation;
  const mcpTasks = createMcpTasks({ store: boundedPlainStore, plainStore: ports.store, clock, random, log });
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
      holdMessage,
      operations,
      windows,
      enforcer,
      failure: (...given) => failure(...given),
      tasks: mcpTasks,
      countCall: createMcpUsage({ store, clock, getOrCreateProject, onCounted: metrics.counted }),
      log,
      baseUrl,
      endpoints,
      clock,
    }),
    ...upstreams.described,
  ];
  const openApi: () => Record<string, unknown> = once(() =>
    openApiDocument(endpoints, described, { baseUrl: baseUrl(), version: packageVersion }),
  );
  const openApiText = once(() => JSON.stringify(openApi()));
  const routes = createRouter<Route>();
  for (const { method, path, route } of described) routes.add(method, path, route);
  reporting.addPreflights(routes);
  addPreflights(routes, described);
  upstreams.addUpstreams(routes);
  // A plans file may also limit OAuth operations that are turned off.
  const oauthNames = Object.keys(OAUTH_OPERATIONS).map((name) => ({ name }));
  const named = [...oauthNames, ...described.map(({ route }) => route), ...upstreams.names, ...endpoints];
  checkLimitNames(catalogue, named);
  const eventStreams = createEventStreams({
    clock,
    isValid,
    boundOf: (account) => boundsFor(account).streams,
  });
  metrics.watchDelivery({ letters: () => services.post?.underWay(), webhooks: services.alerts.overdue });
  metrics.watchWork({ compute: services.workers.state, streams: eventStreams.openNow });
  const idempotency = createIdempotency({ store: ports.store, claims: boundedPlainStore, clock });
  const operationPorts = {
    idempotency,
    eventStreams,
    workers: services.workers,
    boundsOf: boundsFor,
    checkOutputs: ports.checkOutputs ?? false,
  };
  for (const handled of services.handled) {
    const { endpoint } = handled;
    const operation = checked(apiOperation(handled, operationPorts));
    operations.set(endpoint.name, operation);
    routes.add(endpoint.method as Method, endpoint.path, apiRoute(operation));
  }

  const pathOf = new Map([
    ...described.map(({ route, path }) => [route.name, path] as const),
    ...endpoints.map(({ name, path }) => [name, path] as const),
  ]);
  const recorder = createErrorRecorder({
    ...{ store: ports.store, clock, log, getOrCreateProject },
    raise: services.alerts.sink.raiseIn,
    pathOf: (endpoint) => pathOf.get(endpoint),
  });
  const failure = createFailure({
    ...{ baseUrl, clock, log, serviceName: serviceNameIn(catalogue) },
    onFailed: recorder.note,
    onRefused: metrics.problem,
  });
  ends.push(idempotency.close, recorder.close, mcpTasks.close);
  const bodies = createBodies();
  const plain = createKernel({
    routes,
    bodies,
    baseUrl,
    addressOf,
    proofs: services.proofs,
    authenticate: (secret, origin) => services.credentials.authenticate(secret, origin),
    async sessionOf(req): Promise<Identity | undefined> {
      const secret = cookie.read(req);
      const signedIn = secret === undefined ? undefined : await services.signIn.lookUp(secret);
      if (!signedIn) return undefined;
      // While an operator impersonates a user, requests count as the operator's own.
      const { account, user, scopes, session } = signedIn.operator ?? signedIn;
      return { account, userId: user.id, credential: { kind: "session", id: session.id, scopes } };
    },
    windows,
    enforcer,
    failure,
    clock,
    random,
    onAnswered(exchange, status) {
      metrics.answered(exchange, status);
      log.debug(
        {
          requestId: exchange.requestId,
          method: exchange.req.method,
          path: exchange.path,
          status,
          ms: Math.round(clock.monotonic() - exchange.startedAt),
          account: exchange.identity?.account.id,
        },
        "answered",
      );
      ports.onAnswered?.(exchange, status);
    },
  });
  const kernel = ports.telemetry?.traced(plain, (endpoint) => pathOf.get(endpoint)) ?? plain;

  const page = { services, enforcer, failure, bodies, cookie, addressOf, openApi, routes, windows };
  const pages = createPages({ ...ports, ...page });

  /** Whether a path is answered here where the server is mounted in another one. */
  function isOurs(path: string): boolean {
    const { route, allow } = routes.find("GET", path);
    return route !== undefined || allow !== undefined || /^\/(api\/v1|auth)\//.test(path) || pages.has(path);
  }

  function handle(req: IncomingMessage, res: ServerResponse, next?: Next): void {
    // What another server answers is not to be counted, refused or held up here.
    if (next && !isOurs(targetOf(req).path)) {
      next();
      return;
    }
    const passOn = (error?: unknown): void => {
      if (error) res.destroy(error as Error);
      else pages.handle(req as Request, res as Response, next ?? (() => noSuchPage(req)));
    };
    kernel(req, res, passOn).catch((err) => {
      log.error({ err }, "a request could not even be refused");
      res.destroy();
    });
  }

  function noSuchPage({ exchange }: IncomingMessage): void {
    if (!exchange) return;
    const { path } = exchange;
    const slashless = path.replace(/\/$/, "");
    const { route, allow } = slashless === path ? {} : routes.find("GET", slashless);
    const hint = (route ?? allow) ? ` Leave out the slash at its end: ${slashless}` : "";
    const problem = new Problem("not_found", `There is no ${path} here.${hint}`);
    void send(exchange, failure(exchange, problem));
  }

  return {
    handle,
    services,
    openApi,
    endStreams() {
      eventStreams.stop();
      pages.endStreams();
      for (const { gateway } of gateways.values()) gateway.endStreams();
    },
    async close() {
      eventStreams.stop();
      pages.endStreams();
      await Promise.all(ends.map((end) => end()));
    },
    async refuseUnparsed(address = "unknown", problem) {
      const limits = await enforcer.peek(windows.ofAddress(subjectOf(address)));
      return rawRefusal(problem, { requestId: random.id("req"), limits, baseUrl: baseUrl() });
    },
  };
}
