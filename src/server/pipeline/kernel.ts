import type { IncomingMessage, ServerResponse } from "node:http";
import type { Origin } from "../../accounts/credentials/credentials.ts";
import { secretKind } from "../../accounts/credentials/secrets.ts";
import { requireOpen } from "../../accounts/shut.ts";
import type { Method } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { WindowSet } from "../../metering/limits/rate-limit.ts";
import type { Windows } from "../../metering/limits/windows.ts";
import type { Proofs } from "../../oauth/tokens/dpop.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { type Answer, send } from "./answer.ts";
import {
  isFor,
  issuedForAnother,
  metadataUrl,
  otherNameHint,
  presentedSecret,
  proofOf,
  provenOr,
  requireScope,
  unauthenticated,
} from "./authenticate.ts";
import { requireEndpoint } from "./bound-tools.ts";
import { type AddressOf, subjectOf } from "./client-address.ts";
import type { LimitEnforcer } from "./enforce-limits.ts";
import { type Exchange, type Identity, isApiPath } from "./exchange.ts";
import type { Failure } from "./failure.ts";
import { BODY_BYTES, type Bodies } from "./request-body.ts";
import { checkHeaders, targetOf } from "./request-target.ts";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";
import { rpcIdOf } from "./rpc-id.ts";
import { createUnreadAnswers } from "./slow-clients/unread-answers.ts";

export type Next = (error?: unknown) => void;
export type Kernel = (req: IncomingMessage, res: ServerResponse, next: Next) => Promise<void>;

export interface KernelPorts {
  routes: Router<Route>;
  bodies: Bodies;
  baseUrl: () => string;
  addressOf: AddressOf;
  /** Returns the identity of a valid secret. Throws `outside_binding` if it may not be used from that origin. */
  authenticate: (secret: string, origin: Origin) => Promise<Identity | undefined>;
  /** Verifies proofs of the keys that tokens may be bound to. */
  proofs: Proofs;
  /** Returns the identity of a browser's session, whose cookie authenticates pages only. */
  sessionOf: (req: IncomingMessage) => Promise<Identity | undefined>;
  windows: Windows;
  enforcer: LimitEnforcer;
  clock: Clock;
  random: Random;
  failure: Failure;
  onAnswered?: (exchange: Exchange, status: number) => void;
}

/** The status that proxies log for a client that disconnects before its answer. */
const CLIENT_GONE = 499;

const ASSET_PATH = /^\/(assets\/|favicon\.ico$)/;

/**
 * Creates the pipeline that all requests pass: id, authentication, limits, scope, body, handler, headers. Requests that
 * match no API route go on to `next`, already counted and with their limits known.
 */
export function createKernel(ports: KernelPorts): Kernel {
  const { routes, bodies, windows, enforcer, clock, random } = ports;
  const unread = createUnreadAnswers(clock);

  return async function kernel(req, res, next) {
    if (req.exchange) return next();
    const exchange = open(req, res);
    req.exchange = exchange;
    const slot = unread.follow(exchange);
    res.once("close", () => {
      unread.free(slot);
      // A page reads its form behind this function.
      bodies.release(exchange);
      ports.onAnswered?.(exchange, res.headersSent ? res.statusCode : CLIENT_GONE);
    });
    const method = (req.method === "HEAD" ? "GET" : req.method) as Method;
    const { route, template, parameters, allow } = routes.find(method, exchange.path);
    try {
      checkHeaders(req);
      if (route) {
        exchange.endpoint = route.name;
        exchange.template = template;
        await send(exchange, complete(await pass(exchange, route, parameters), route));
        return;
      }
      exchange.identity = await identify(exchange);
      exchange.windows = windowsOf(exchange);
      if (ASSET_PATH.test(exchange.path)) await lookAt(exchange, exchange.windows);
      else if (allow || isApiPath(exchange.path)) {
        await enforcer.admit(exchange, exchange.windows);
        throw allow ? methodNotAllowed(req, exchange.path, allow) : unknownPath(exchange.path);
      }
    } catch (error) {
      const fault = exchange.limits ? error : await countRefused(exchange, route, error);
      // The client has gone. Thousands may do so at once, so nothing is logged.
      if (res.destroyed && fault instanceof Problem) return;
      if (route?.errors === "mcp") exchange.rpcId = await rpcIdOf(exchange, bodies, clock);
      await refuse(exchange, fault, route);
      return;
    } finally {
      bodies.release(exchange);
    }
    next();
  };

  /** Sends an error, or that it cannot be sent: a tool's problem may have members that are no JSON. */
  async function refuse(exchange: Exchange, fault: unknown, route: Route | undefined): Promise<void> {
    // An answer that could not be sent leaves the words of its status behind.
    exchange.res.statusMessage = "";
    const sent = async (error: unknown) =>
      send(exchange, complete(ports.failure(exchange, error, route?.errors), route));
    await sent(fault).catch((error) => sent(error));
  }

  /** Counts a request that was refused before it was counted, as an anonymous one. */
  function countRefused(exchange: Exchange, route: Route | undefined, error: unknown): Promise<unknown> {
    return count(exchange, undefined, route).then(
      () => error,
      (refusal) => refusal,
    );
  }

  function open(req: IncomingMessage, res: ServerResponse): Exchange {
    const { path, query } = targetOf(req);
    return {
      req,
      res,
      requestId: random.id("req"),
      startedAt: clock.monotonic(),
      path,
      query,
      address: ports.addressOf(req),
      endpoint: "page",
    };
  }

  async function pass(exchange: Exchange, route: Route, parameters: Record<string, string>): Promise<Answer> {
    const { req } = exchange;
    route.screen?.(req);
    if (route.subject) {
      const body = await bodies.read(exchange, route.maxBodyBytes ?? BODY_BYTES.anonymous);
      const subject = await route.subject(body, req.headers["content-type"]);
      const set = subject === undefined ? undefined : windows.ofSubject(subject, route.name);
      if (set) await enforcer.admit(exchange, set);
      else await count(exchange, undefined, route);
      return route.answer(exchange, body, parameters);
    }
    if (route.guest) {
      const set = await route.guest(exchange, parameters);
      if (set) await enforcer.admit(exchange, set);
      else await count(exchange, undefined, route);
      const most = set ? route.maxBodyBytes : BODY_BYTES.anonymous;
      const body = route.streams ? NO_BODY : await bodies.read(exchange, most ?? 0);
      return route.answer(exchange, body, parameters);
    }
    // Uncounted requests are not authenticated, so that they are answered while the store is unavailable.
    const presented = isUncounted(route, req) ? undefined : presentedSecret(req);
    const metadata = metadataUrl(ports.baseUrl(), route.resource);
    const identity = presented === undefined ? undefined : await authenticate(exchange, presented, metadata);
    await count(exchange, identity, route);
    if (exchange.proof) await provenOr(exchange.proof.spend(), metadata);
    const resource = ports.baseUrl() + (route.resource ?? "");
    const known = identity && (route.everyAudience || isFor(identity, resource)) ? identity : undefined;
    if (route.scope !== "public") {
      if (!identity) {
        throw unauthenticated(presented !== undefined, metadata, otherNameHint(req, ports.baseUrl()));
      }
      if (!known) throw issuedForAnother(identity, resource, metadata);
      requireScope(known, route.scope, metadata);
      if (known.credential.tools && !route.callsTools) requireEndpoint(known, route.name);
    }
    if (known && route.lane !== "control") requireOpen(known.account);
    exchange.identity = known;
    const most = known ? route.maxBodyBytes : Math.min(route.maxBodyBytes ?? 0, BODY_BYTES.anonymous);
    const body = most ? await bodies.read(exchange, most) : NO_BODY;
    return route.answer(exchange, body, parameters);
  }

  function identify(exchange: Exchange): Promise<Identity | undefined> {
    const secret = presentedSecret(exchange.req);
    if (secret !== undefined) return authenticate(exchange, secret, metadataUrl(ports.baseUrl()));
    return isApiPath(exchange.path) || ASSET_PATH.test(exchange.path)
      ? Promise.resolve(undefined)
      : ports.sessionOf(exchange.req);
  }

  async function authenticate(
    exchange: Exchange,
    secret: string,
    metadataUrl: string,
  ): Promise<Identity | undefined> {
    const identity = await ports.authenticate(secret, exchange);
    if (identity) {
      const about = { secret, identity, baseUrl: ports.baseUrl(), metadataUrl };
      exchange.proof = await proofOf(ports.proofs, exchange, about);
    }
    if (!identity && secretKind(secret) !== undefined) exchange.hasInvalidCredential = true;
    return identity;
  }

  function count(
    exchange: Exchange,
    identity: Identity | undefined,
    route: Route | undefined,
  ): Promise<void> {
    exchange.identity = identity;
    exchange.windows = windowsOf(exchange, route);
    return isUncounted(route, exchange.req)
      ? lookAt(exchange, exchange.windows)
      : enforcer.admit(exchange, exchange.windows);
  }

  async function lookAt(exchange: Exchange, set: WindowSet): Promise<void> {
    exchange.limits = await enforcer.peek(set);
  }

  /**
   * Returns the windows of a request. Sessions only open pages, which people may need to get out of trouble, so they
   * count in the control lane.
   */
  function windowsOf({ identity, address, hasInvalidCredential }: Exchange, route?: Route): WindowSet {
    if (!identity) return windows.ofAddress(subjectOf(address), route?.name, hasInvalidCredential);
    return route?.lane === "control" || identity.credential.kind === "session"
      ? windows.ofControl(identity, route?.name)
      : windows.ofAccount(identity.account, route?.name);
  }
}

function complete(answer: Answer, route: Route | undefined): Answer {
  return route?.headers ? { ...answer, headers: { ...route.headers(answer), ...answer.headers } } : answer;
}

const NO_BODY = Buffer.alloc(0);

export function unknownPath(path: string): Problem {
  return new Problem("not_found", `There is no ${path} here. GET /openapi.json lists what there is.`);
}

function methodNotAllowed(req: IncomingMessage, path: string, allow: string[]): Problem {
  const methods = allow.includes("GET") ? [...allow, "HEAD"] : allow;
  return new Problem("method_not_allowed", `${path} takes ${allow.join(", ")}, not ${req.method}.`, {
    headers: { Allow: methods.join(", ") },
  });
}

function isUncounted(route: Route | undefined, req: IncomingMessage): boolean {
  const uncounted = route?.uncounted ?? false;
  return typeof uncounted === "function" ? uncounted(req) : uncounted;
}
