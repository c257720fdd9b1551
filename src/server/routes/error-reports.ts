import type { Accounts } from "../../accounts/accounts.ts";
import { requireOpen } from "../../accounts/shut.ts";
import { Problem } from "../../contract/problem.ts";
import { type EndpointLimit, endpointWindow, type WindowSet, windowSet } from "../../metering/rate-limit.ts";
import type { Clock } from "../../system/clock.ts";
import { type ReadReport, readEnvelope, readStoredEvent } from "../../tools/observability/envelope.ts";
import type { Project, Reports } from "../../tools/observability/reports.ts";
import type { WorkerPool } from "../compute/pool.ts";
import { reportOperation } from "../openapi/report-operation.ts";
import { type Answer, JSON_TYPE } from "../pipeline/answer.ts";
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
/** For each project, unless the catalogue says otherwise. */
const LIMIT: EndpointLimit = { requests: 600, windowSeconds: 60 };
/** So many projects of an account may use up theirs. */
const PROJECTS_AT_ONCE = 10;
const NAME = "observability.report";

/** Programs report from whatever site they run on, and the key is no secret (WHATWG Fetch §3.2). */
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

/** Where Sentry's SDKs report errors, as the DSN of a project says: no endpoint of the API, and no scope. */
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

  /** `Problem` `forbidden` where its account is shut: nothing is written to it by whichever way. */
  async function openProject(number: string, key: string): Promise<Project> {
    const found = await project(number, key);
    requireOpen(await accounts.get(found.accountId));
    return found;
  }

  /** An account can have a thousand projects, and no plan counts what is reported to them. */
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
        const { dsn, eventId, events } = await readBody(exchange.req, { maxBytes, sender }, read);
        const whose = known ?? (await openProject(number, requireKey(keyIn(dsn, number))));
        // Whoever shows the key before has been counted by it, before anything was unpacked.
        if (!known) await enforcer.admit(exchange, windowsOf(whose));
        const told = await readEvents(events, whose.accountId, exchange.res);
        const taken = await reports.take(whose, told);
        const id = eventId ?? taken[0]?.eventId;
        const body = JSON.stringify(id === undefined ? {} : { id });
        return { status: 200, headers: { "Content-Type": JSON_TYPE }, body };
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

/** Sentry's own header tells its SDKs how long to keep silent. */
function headersOf({ status, headers }: Answer): Record<string, string> {
  const wait = headers["Retry-After"];
  return {
    ...ALLOW_ALL,
    ...(status === 429 && wait !== undefined && { "X-Sentry-Rate-Limits": `${wait}::key` }),
  };
}

/** The key that stands before the body: in a header or in the query. */
function keyBefore({ req, query }: Exchange): string | undefined {
  const header = String(req.headers["x-sentry-auth"] ?? req.headers.authorization ?? "");
  const inHeader = /^sentry\b.*?\bsentry_key=(\w{1,100})/i.exec(header)?.[1];
  return inHeader ?? new URLSearchParams(query).get("sentry_key") ?? undefined;
}

function requireKey(key: string | undefined): string {
  if (key !== undefined) return key;
  throw new Problem("forbidden", "Send the key of the DSN: X-Sentry-Auth: Sentry sentry_key=…");
}

/** The key of a DSN in the envelope, which must be of the number that it was sent to. */
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
