import type { Accounts } from "../../accounts/accounts.ts";
import { requireOpen } from "../../accounts/shut.ts";
import { Problem } from "../../contract/problem.ts";
import {
  type EndpointLimit,
  endpointWindow,
  type WindowSet,
  windowSet,
} from "../../metering/limits/rate-limit.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Project, Reports } from "../../tools/observability/reports.ts";
import { type ReadReport, readEnvelope, readStoredEvent } from "../../tools/observability/sentry/envelope.ts";
import type { WorkerPool } from "../compute/pool.ts";
import { reportOperation } from "../openapi/report-operation.ts";
import { type Answer, jsonAnswer } from "../pipeline/answer.ts";
import { subjectOf } from "../pipeline/client-address.ts";
import type { LimitEnforcer } from "../pipeline/enforce-limits.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { BODY_BYTES } from "../pipeline/request-body.ts";
import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";
import { createReportBodies } from "./report-body.ts";
import { createEventReader } from "./report-events.ts";
import type { DescribedRoute } from "./service-routes.ts";

const MAX_BYTES = 20 * 1024 * 1024;
/** The limit of each project, unless the catalogue sets another one. */
const LIMIT: EndpointLimit = { requests: 600, windowSeconds: 60 };
/** The limit of an account, in multiples of a project's. */
const PROJECTS_AT_ONCE = 10;
const NAME = "observability.report";

/** Programs report from any site, and the key is not secret (WHATWG Fetch §3.2). */
const ALLOW_ALL = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After, X-Sentry-Rate-Limits",
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers":
    "Content-Type, Content-Encoding, X-Sentry-Auth, Authorization, sentry-trace, baggage",
  "Access-Control-Max-Age": "86400",
};

export interface ErrorReportPorts {
  reports: Reports;
  accounts: Pick<Accounts, "get">;
  workers: Pick<WorkerPool, "run">;
  enforcer: Pick<LimitEnforcer, "admit">;
  clock: Clock;
  limit?: EndpointLimit | undefined;
}

/**
 * Creates the routes to which Sentry's SDKs report errors, as the DSN of a project says. They are not endpoints of the
 * API and need no scope.
 */
export function errorReportRoutes({
  reports,
  accounts,
  workers,
  enforcer,
  clock,
  limit = LIMIT,
}: ErrorReportPorts): {
  described: DescribedRoute[];
  addPreflights(routes: Router<Route>): void;
} {
  const readBody = createReportBodies(clock);
  const readEvents = createEventReader({ workers, clock });

  async function project(number: string, key: string): Promise<Project> {
    const found = await reports.find({ number, key });
    if (found) return found;
    throw new Problem("forbidden", "The key and the number of this DSN do not belong together here.");
  }

  /** Finds a project. Throws `forbidden` if its account is shut: nothing may write to it. */
  async function openProject(number: string, key: string): Promise<Project> {
    const found = await project(number, key);
    requireOpen(await accounts.get(found.accountId));
    return found;
  }

  /** An account has a limit of its own, since it can have a thousand projects and no plan counts their reports. */
  function windowsOf({ accountId, projectId }: Project): WindowSet {
    const ofAccount = { ...limit, requests: PROJECTS_AT_ONCE * limit.requests };
    return windowSet([
      endpointWindow(`reports/${accountId}/${projectId}`, NAME, limit),
      endpointWindow(`reports/${accountId}`, `${NAME}.account`, ofAccount),
    ]);
  }

  function route(read: ReadReport): Route {
    return {
      name: NAME,
      errors: "problem",
      scope: "public",
      streams: true,
      headers: headersOf,
      async guest(exchange, { number = "" }) {
        if (!/^\d{1,20}$/.test(number)) throw new Problem("not_found", "A DSN has a number of digits.");
        const key = keyBefore(exchange);
        return key === undefined ? undefined : windowsOf(await project(number, key));
      },
      async answer(exchange, _, { number = "" }): Promise<Answer> {
        const key = keyBefore(exchange);
        const known = key === undefined ? undefined : await openProject(number, key);
        const maxBytes = known ? MAX_BYTES : BODY_BYTES.anonymous;
        const sender = known?.accountId ?? subjectOf(exchange.address);
        const envelope = await readBody(exchange.req, { maxBytes, sender }, read);
        const { dsn, eventId } = envelope;
        const whose = known ?? (await openProject(number, requireKey(keyIn(dsn, number))));
        // A key before the body was counted before the body was unpacked.
        if (!known) await enforcer.admit(exchange, windowsOf(whose));
        const told = await readEvents(envelope, whose.accountId, exchange.res);
        const taken = await reports.take(whose, told);
        const id = eventId ?? taken[0]?.eventId;
        return jsonAnswer(defined({ id }));
      },
    };
  }

  const preflight: Route = {
    name: NAME,
    errors: "problem",
    scope: "public",
    uncounted: true,
    headers: headersOf,
    answer: async () => ({ status: 204, headers: PREFLIGHT }),
  };
  const described = [report("envelope", route(readEnvelope)), report("store", route(readStoredEvent))];
  return {
    described,
    addPreflights(routes) {
      for (const { path } of described) routes.add("OPTIONS", path, preflight);
    },
  };
}

/**
 * What is not kept, by the names of https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/. SDKs that are told so leave
 * it out for an hour, instead of using up the limit with it, so that errors are refused.
 */
const NOT_KEPT = [
  "transaction",
  "span",
  "session",
  "replay",
  "profile",
  "profile_chunk",
  "profile_chunk_ui",
  "metric_bucket",
  "trace_metric",
  "log_item",
  "log_byte",
  "monitor",
  "feedback",
  "attachment",
].join(";");

/** Adds Sentry's own header, which tells its SDKs what to pause with, and for how long. */
function headersOf({ status, headers }: Answer): Record<string, string> {
  const wait = headers["Retry-After"];
  return {
    ...ALLOW_ALL,
    ...(status === 200 && { "X-Sentry-Rate-Limits": `3600:${NOT_KEPT}:organization` }),
    ...(status === 429 && wait !== undefined && { "X-Sentry-Rate-Limits": `${wait}::key` }),
  };
}

/** Returns the key that precedes the body, in a header or the query. */
function keyBefore({ req, query }: Exchange): string | undefined {
  const header = String(req.headers["x-sentry-auth"] ?? req.headers.authorization ?? "");
  const inHeader = /^sentry\b.*?\bsentry_key=(\w{1,100})/i.exec(header)?.[1];
  return inHeader ?? new URLSearchParams(query).get("sentry_key") ?? undefined;
}

function requireKey(key: string | undefined): string {
  if (key !== undefined) return key;
  throw new Problem("forbidden", "Send the key of the DSN: X-Sentry-Auth: Sentry sentry_key=…");
}

/** Returns the key of the DSN in an envelope, if the DSN has the number of the path. */
function keyIn(dsn: string | undefined, number: string): string | undefined {
  if (dsn === undefined || !URL.canParse(dsn)) return undefined;
  const { username, pathname } = new URL(dsn);
  return pathname.split("/").at(-1) === number && username !== "" ? username : undefined;
}

const OPERATIONS = {
  envelope: reportOperation("envelope", LIMIT.requests),
  store: reportOperation("store", LIMIT.requests),
};

function report(kind: keyof typeof OPERATIONS, route: Route): DescribedRoute {
  return { method: "POST", path: `/api/{number}/${kind}/`, route, operation: OPERATIONS[kind] };
}
