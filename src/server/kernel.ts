import type { IncomingMessage, ServerResponse } from "node:http";
import type { Method } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import {
  accountWindows,
  addressWindow,
  type EndpointLimit,
  endpointWindow,
  type NamedWindow,
  type PlanLimits,
} from "../metering/rate-limit.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { type Answer, send } from "./answer.ts";
import { presentedSecret, requireScope, unauthenticated } from "./authenticate.ts";
import { type AddressOf, subjectOf } from "./client-address.ts";
import type { LimitEnforcer } from "./enforce-limits.ts";
import { type Exchange, type Identity, isApiPath } from "./exchange.ts";
import type { Failure } from "./failure.ts";
import { BODY_BYTES, readBody } from "./request-body.ts";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";

export type Next = (error?: unknown) => void;
export type Kernel = (req: IncomingMessage, res: ServerResponse, next: Next) => Promise<void>;

export interface KernelPorts {
  routes: Router<Route>;
  baseUrl: () => string;
  addressOf: AddressOf;
  /** What a bearer secret stands for, while it is valid. */
  authenticate: (secret: string) => Promise<Identity | undefined>;
  /** Whose browser this is: the session cookie authenticates pages only. */
  sessionOf: (req: IncomingMessage) => Promise<Identity | undefined>;
  planLimits: (plan: string) => PlanLimits;
  /** By endpoint name, beside the plan's. */
  endpointLimits: Readonly<Record<string, EndpointLimit>>;
  anonymousPerMinute: number;
  enforcer: LimitEnforcer;
  clock: Clock;
  random: Random;
  failure: Failure;
  onAnswered?: (exchange: Exchange, status: number) => void;
}

const ASSET_PATH = /^\/(assets\/|favicon\.ico$)/;

/**
 * A request's way, the same for all (wire.md §1): id, authenticate, limits, scope, body, handler,
 * headers. What is no API route goes on to `next`, counted and with its headers set.
 */
export function createKernel(ports: KernelPorts): Kernel {
  const { routes, enforcer, clock, random } = ports;

  return async function kernel(req, res, next) {
    if (req.exchange) return next();
    const exchange = open(req, res);
    req.exchange = exchange;
    const { onAnswered } = ports;
    if (onAnswered) res.once("close", () => onAnswered(exchange, res.statusCode));
    const method = (req.method === "HEAD" ? "GET" : req.method) as Method;
    const { route, parameters, allow } = routes.find(method, exchange.path);
    try {
      if (route) {
        exchange.endpoint = route.name;
        await send(exchange, await pass(exchange, route, parameters));
        return;
      }
      await count(exchange, await identify(exchange), undefined);
      if (allow) throw methodNotAllowed(req, exchange.path, allow);
      if (isApiPath(exchange.path)) {
        throw new Problem(
          "not_found",
          `There is no ${exchange.path} here. GET /openapi.json lists what there is.`,
        );
      }
    } catch (error) {
      await send(exchange, ports.failure(exchange, error, route?.errors));
      return;
    }
    next();
  };

  function open(req: IncomingMessage, res: ServerResponse): Exchange {
    const url = req.url ?? "/";
    const mark = url.indexOf("?");
    return {
      req,
      res,
      requestId: random.id("req"),
      startedAt: clock.monotonic(),
      path: mark < 0 ? url : url.slice(0, mark),
      query: mark < 0 ? "" : url.slice(mark + 1),
      address: ports.addressOf(req),
      endpoint: "page",
    };
  }

  async function pass(exchange: Exchange, route: Route, parameters: Record<string, string>): Promise<Answer> {
    const { req } = exchange;
    if (route.subject) {
      const body = await readBody(req, route.maxBodyBytes ?? BODY_BYTES.anonymous);
      const subject = await route.subject(body, req.headers["content-type"]);
      const limit = ports.endpointLimits[route.name];
      if (subject && limit) await enforcer.admit(exchange, [endpointWindow(subject, route.name, limit)]);
      else await count(exchange, undefined, route);
      return route.answer(exchange, body, parameters);
    }
    const presented = presentedSecret(req);
    const identity = presented === undefined ? undefined : await ports.authenticate(presented);
    await count(exchange, identity, route);
    if (route.scope !== "public") {
      if (!identity) throw unauthenticated(presented !== undefined, ports.baseUrl());
      requireScope(identity, route.scope, ports.baseUrl());
    }
    exchange.identity = identity;
    const most = identity ? route.maxBodyBytes : Math.min(route.maxBodyBytes ?? 0, BODY_BYTES.anonymous);
    const body = most ? await readBody(req, most) : NO_BODY;
    return route.answer(exchange, body, parameters);
  }

  function identify(exchange: Exchange): Promise<Identity | undefined> {
    const secret = presentedSecret(exchange.req);
    if (secret !== undefined) return ports.authenticate(secret);
    return isApiPath(exchange.path) || ASSET_PATH.test(exchange.path)
      ? Promise.resolve(undefined)
      : ports.sessionOf(exchange.req);
  }

  async function count(
    exchange: Exchange,
    identity: Identity | undefined,
    route: Route | undefined,
  ): Promise<void> {
    exchange.identity = identity;
    const subject = identity ? `account/${identity.account.id}` : subjectOf(exchange.address);
    const windows: NamedWindow[] = identity
      ? accountWindows(identity.account.id, ports.planLimits(identity.account.plan), identity.account.limits)
      : [addressWindow(subject, ports.anonymousPerMinute)];
    const own = route && endpointLimit(route.name, identity);
    if (own) windows.push(endpointWindow(subject, route.name, own));
    if (route?.uncounted || ASSET_PATH.test(exchange.path)) exchange.limits = await enforcer.look(windows);
    else await enforcer.admit(exchange, windows);
  }

  /** An account's own figure, by the minute, wins over the catalogue's. */
  function endpointLimit(name: string, identity: Identity | undefined): EndpointLimit | undefined {
    const own = identity?.account.limits?.endpoints?.[name];
    return own === undefined ? ports.endpointLimits[name] : { requests: own, windowSeconds: 60 };
  }
}

const NO_BODY = Buffer.alloc(0);

function methodNotAllowed(req: IncomingMessage, path: string, allow: string[]): Problem {
  const methods = allow.includes("GET") ? [...allow, "HEAD"] : allow;
  return new Problem("method_not_allowed", `${path} takes ${allow.join(", ")}, not ${req.method}.`, {
    headers: { Allow: methods.join(", ") },
  });
}
