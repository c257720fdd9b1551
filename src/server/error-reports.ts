import { Problem } from "../contract/problem.ts";
import { type EndpointLimit, endpointWindow, windowSet } from "../metering/rate-limit.ts";
import { type Envelope, parseEnvelope, parseStoredEvent } from "../tools/observability/envelope.ts";
import type { Project, Reports } from "../tools/observability/reports.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { createInflate } from "./inflate.ts";
import { reportOperation } from "./openapi/service.ts";
import type { Route } from "./route.ts";
import type { Router } from "./router.ts";
import type { DescribedRoute } from "./service-routes.ts";

const MOST_BYTES = 20 * 1024 * 1024;
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;
/** For each project, unless the catalogue says otherwise. */
const LIMIT: EndpointLimit = { requests: 600, windowSeconds: 60 };
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

/** Where Sentry's SDKs report errors, as the DSN of a project says: no endpoint of the API, and no scope. */
export function errorReportRoutes({
  reports,
  limit = LIMIT,
}: {
  reports: Reports;
  limit?: EndpointLimit | undefined;
}): { described: DescribedRoute[]; addPreflights(routes: Router<Route>): void } {
  const inflate = createInflate(MOST_UNPACKED_BYTES);

  async function project(number: string, key: string): Promise<Project> {
    const found = await reports.find({ number, key });
    if (found) return found;
    throw new Problem("forbidden", "The key and the number of this DSN do not belong together here.");
  }

  function route(parse: (body: Buffer) => Envelope): Route {
    return {
      name: NAME,
      errors: "problem",
      scope: "public",
      maxBodyBytes: MOST_BYTES,
      headers: headersOf,
      async guest(exchange, { number = "" }) {
        if (!/^\d{1,20}$/.test(number)) throw new Problem("not_found", "A DSN has a number of digits.");
        const key = keyBefore(exchange);
        if (key === undefined) return undefined;
        const { accountId, projectId } = await project(number, key);
        return windowSet([endpointWindow(`reports/${accountId}/${projectId}`, NAME, limit)]);
      },
      async answer(exchange, body, { number = "" }): Promise<Answer> {
        const { dsn, eventId, events } = parse(await inflate(body, exchange.req.headers["content-encoding"]));
        const key = keyBefore(exchange) ?? keyIn(dsn, number);
        if (key === undefined) {
          throw new Problem("forbidden", "Send the key of the DSN: X-Sentry-Auth: Sentry sentry_key=…");
        }
        await reports.take(await project(number, key), events);
        const answer = eventId === undefined ? {} : { id: eventId };
        return { status: 200, headers: { "Content-Type": JSON_TYPE }, body: JSON.stringify(answer) };
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
  const described = [report("envelope", route(parseEnvelope)), report("store", route(parseStoredEvent))];
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
