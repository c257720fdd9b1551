import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { Problem } from "../contract/problem.ts";
import { createWindows } from "../metering/limits/windows.ts";
import { serviceNameIn, tierOf } from "../metering/plans.ts";
import { createBrowserCookie } from "../web/browser-cookie.ts";
import { allOrNone, type End, endAll } from "./all-or-none.ts";
import { type ApiHandlers, createHandlers } from "./api-handlers.ts";
import type { AppPorts } from "./app-ports.ts";
import { send } from "./pipeline/answer.ts";
import { addressReader, subjectOf } from "./pipeline/client-address.ts";
import { createLimitEnforcer } from "./pipeline/enforce-limits.ts";
import type { Identity } from "./pipeline/exchange.ts";
import { createFailure } from "./pipeline/failure.ts";
import { createKernel, type Next } from "./pipeline/kernel.ts";
import { type RawAnswer, rawRefusal } from "./pipeline/raw-answer.ts";
import { createBodies } from "./pipeline/request-body.ts";
import { targetOf } from "./pipeline/request-target.ts";
import { createPages } from "./routes/pages.ts";
import { createRouting } from "./routing.ts";
import { createServices, type Services } from "./services.ts";
import { storesOn } from "./stores.ts";
import { createErrorRecorder } from "./telemetry/error-recorder.ts";
import { createMetrics } from "./telemetry/metrics.ts";

export interface App {
  /** Answers a request. Paths that the app does not know go to `next`, if it is given. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void;
  services: Services;
  handlers: ApiHandlers["handlers"];
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
  const { clock, random, log, catalogue, baseUrl } = ports;
  const metrics = createMetrics({ clock, store: ports.store });
  const stores = storesOn(ports.store, { catalogue, onRefused: metrics.refused });
  const servicePorts = { ...ports, ...stores, metrics };
  const services = await createServices(servicePorts);
  ends.push(services.close);
  const { handlers, handled } = await createHandlers(services, servicePorts);
  const { eventStreams, gateways, refusals, watchLimits } = services;
  metrics.watchDelivery({ letters: () => services.post?.underWay(), webhooks: services.alerts.overdue });
  metrics.watchWork({ compute: services.workers.state, streams: eventStreams.openNow });

  const windows = createWindows({
    planOf: (plan) => tierOf(catalogue, plan),
    upgradeUrl: catalogue.upgradeUrl,
    endpointLimits: catalogue.endpoints,
    anonymousPerMinute: catalogue.anonymous.requestsPerMinute,
    controlPerMinute: catalogue.control.requestsPerMinute,
  });
  const enforcer = createLimitEnforcer({
    ...{ store: stores.store, clock, watchLimits },
    noteRefusal: refusals.note,
  });
  const recorder = createErrorRecorder({
    ...{ store: ports.store, clock, log },
    getOrCreateProject: services.projects.getOrCreate,
    raise: services.alerts.sink.raiseIn,
  });
  const failure = createFailure({
    ...{ baseUrl, clock, log, serviceName: serviceNameIn(catalogue) },
    onFailed: recorder.note,
    onRefused: metrics.problem,
  });
  const routing = createRouting({ ...servicePorts, services, handled, windows, enforcer, failure });
  ends.push(recorder.close, routing.close);

  const { routes, openApi } = routing;
  const addressOf = addressReader(ports.trustProxy);
  const cookie = createBrowserCookie({ baseUrl: ports.verificationUrl, random, clock });
  const bodies = createBodies();
  const plain = createKernel({
    ...{ routes, bodies, baseUrl, addressOf, windows, enforcer, failure, clock, random },
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
  const kernel = ports.telemetry?.traced(plain) ?? plain;

  const page = { services, handlers, enforcer, failure, bodies, cookie, openApi, routes, windows };
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

  function endStreams(): void {
    eventStreams.stop();
    pages.endStreams();
    for (const { gateway } of gateways.values()) gateway.endStreams();
  }

  return {
    handle,
    services,
    handlers,
    openApi,
    endStreams,
    async close() {
      endStreams();
      await endAll(ends);
    },
    async refuseUnparsed(address = "unknown", problem) {
      const limits = await enforcer.peek(windows.ofAddress(subjectOf(address)));
      return rawRefusal(problem, { requestId: random.id("req"), limits, baseUrl: baseUrl() });
    },
  };
}
