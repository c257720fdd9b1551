import type { Context } from "./context.ts";
import { describeFailure } from "./exit-codes.ts";
import { describeOrigin } from "./settings.ts";
import { count, duration, relativeTime } from "./ui/format.ts";
import { VERSION } from "./version.ts";

/** One thing that `tool doctor` looked at. */
export interface Check {
  name: string;
  status: "ok" | "attention" | "failed";
  detail: string;
  /** How to mend it. */
  next?: string;
}

/** A clock that is further off makes tokens and signatures look expired or not yet valid. */
const CLOCK_OFF_MS = 30_000;

export const CHECKS: readonly ((context: Context) => Promise<Check>)[] = [
  server,
  store,
  clock,
  credential,
  secretStore,
  entitlements,
  queue,
];

async function server({ client, clock, settings }: Context): Promise<Check> {
  const from = describeOrigin(settings.baseUrl.origin);
  const startedAt = clock.monotonic();
  try {
    await client.request("GET", "/health", { authenticate: false, retry: false });
    const took = duration(clock.monotonic() - startedAt);
    return {
      name: "Server",
      status: "ok",
      detail: `${client.baseUrl} answers in ${took} (address from: ${from})`,
    };
  } catch (error) {
    const { detail } = failed("Server", error);
    return {
      name: "Server",
      status: "failed",
      detail: `${detail} The address comes from: ${from}.`,
      next: "Start a server with `tool serve`, or set another address with `tool config set baseUrl`.",
    };
  }
}

async function store({ client }: Context): Promise<Check> {
  try {
    await client.request("GET", "/ready", { authenticate: false, retry: false });
    return { name: "Store", status: "ok", detail: "the server's store answers" };
  } catch (error) {
    return failed("Store", error);
  }
}

async function clock({ client, clock }: Context): Promise<Check> {
  try {
    const { headers } = await client.request("GET", "/health", { authenticate: false, retry: false });
    const there = Date.parse(headers.date ?? "");
    if (Number.isNaN(there))
      return { name: "Clock", status: "attention", detail: "the server sends no time" };
    // The header has whole seconds.
    const off = Math.max(0, Math.abs(clock.now() - there) - 1000);
    if (off < CLOCK_OFF_MS) return { name: "Clock", status: "ok", detail: "as the server's" };
    return {
      name: "Clock",
      status: "failed",
      detail: `${duration(off)} $clock.now() > there ? "ahead of" : "behind"the server's`,
      next: "Turn on time synchronisation (NTP) here or there.",
    };
  } catch (error) {
    return failed("Clock", error);
  }
}

async function credential({ client, credentials, clock }: Context): Promise<Check> {
  try {
    const view = await client.call("GET /api/v1/account", {}, { retry: false });
    const { description } = await credentials.whereabouts();
    const expiry = view.credential.expiresAt
      ? `, expires ${relativeTime(Date.parse(view.credential.expiresAt), clock.now())}`
      : "";
    return {
      name: "Credential",
      status: "ok",
      detail: `${view.user.email}, scopes ${view.credential.scopes.join(" ")}${expiry}, kept in ${description}`,
    };
  } catch (error) {
    return failed("Credential", error);
  }
}

async function secretStore({ credentials }: Context): Promise<Check> {
  const probe = await credentials.probe();
  if (probe.available)
    return { name: "Secret store", status: "ok", detail: `works, through ${probe.module}` };
  return {
    name: "Secret store",
    status: "attention",
    detail: `none: ${probe.reason}`,
    next: "Credentials are kept in a file that only you can read.",
  };
}

async function entitlements({ entitlements }: Context): Promise<Check> {
  try {
    const { document, source, standing } = await entitlements.resolve();
    const { minimumCliVersion } = document.policy;
    if (olderThan(VERSION, minimumCliVersion)) {
      return {
        name: "Entitlements",
        status: "failed",
        detail: `this is version ${VERSION}; the policy asks for ${minimumCliVersion} or later`,
        next: "Run `npm install --global toolplane@latest`.",
      };
    }
    const from = source === "server" ? "signature verified" : "from the cache";
    return {
      name: "Entitlements",
      status: standing === "current" ? "ok" : "attention",
      detail: `plan ${document.plan}, ${from}`,
    };
  } catch (error) {
    return failed("Entitlements", error);
  }
}

async function queue({ queue, clock }: Context): Promise<Check> {
  const { events, refused, dropped, off, trouble } = queue.contents();
  const detail = [
    off ? "off; nothing is recorded" : `${count(events, "event")} waiting`,
    refused.length > 0
      ? `${count(
          refused.reduce((sum, batch) => sum + batch.events, 0),
          "event",
        )} refused`
      : "",
    dropped > 0 ? `${count(dropped, "event")} dropped` : "",
    trouble ? `last attempt ${relativeTime(trouble.at, clock.now())}: ${trouble.reason}` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
  const well = refused.length === 0 && dropped === 0 && !trouble;
  return {
    name: "Queue",
    status: well ? "ok" : "attention",
    detail,
    ...(well ? {} : { next: "See `tool events list`; send now with `tool events flush`." }),
  };
}

function failed(name: string, error: unknown): Check {
  const { message, next } = describeFailure(error);
  return { name, status: "failed", detail: message, ...(next ? { next } : {}) };
}

function olderThan(version: string, least: string): boolean {
  const [have, need] = [version, least].map((text) => text.split(/[.-]/, 3).map(Number)) as [
    number[],
    number[],
  ];
  for (const [index, part] of need.entries()) {
    if (have[index] !== part) return (have[index] ?? 0) < part;
  }
  return false;
}
