import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Unreachable } from "../../client/errors.ts";
import { planNameIn } from "../../client/plan-names.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { readinessOf } from "../readiness.ts";
import { describeOrigin } from "../settings/settings.ts";
import { count, duration, relativeTime } from "../ui/format.ts";
import { olderThan, VERSION } from "../version.ts";

/** The result of one check of `tool doctor`. */
export interface Check {
  name: string;
  /** `skipped` if it depends on a check that failed or was skipped. */
  status: "ok" | "attention" | "failed" | "skipped";
  detail: string;
  /** How to fix it. */
  next?: string;
}

type Finding = Omit<Check, "name">;

interface Examination {
  name: string;
  /** The names of the checks that it depends on. */
  needs: readonly string[];
  run: (context: Context) => Promise<Finding>;
}

/** The tolerated clock skew. More makes tokens and signatures look expired or not yet valid. */
const CLOCK_OFF_MS = 30_000;

const SETTINGS = "Settings";
const SERVER = "Server";
const CREDENTIAL = "Credential";

const EXAMINATIONS: readonly Examination[] = [
  { name: SETTINGS, needs: [], run: settings },
  { name: "Directories", needs: [SETTINGS], run: directories },
  { name: SERVER, needs: [SETTINGS], run: server },
  { name: "Store", needs: [SETTINGS, SERVER], run: store },
  { name: "Clock", needs: [SETTINGS, SERVER], run: clock },
  { name: CREDENTIAL, needs: [SETTINGS, SERVER], run: credential },
  { name: "Secret store", needs: [SETTINGS], run: secretStore },
  { name: "Entitlements", needs: [SETTINGS, SERVER, CREDENTIAL], run: entitlements },
  { name: "Queue", needs: [SETTINGS], run: queue },
];

/** Runs all checks in order. A skipped check names the one that it depends on. */
export async function examine(context: Context): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name, needs, run } of EXAMINATIONS) {
    const before = checks.find(({ name, status }) => needs.includes(name) && BLOCKING_STATUSES.has(status));
    const finding = before ? notBefore(before) : await run(context).catch(failed);
    checks.push({ name, ...finding });
  }
  return checks;
}

/** The statuses that make dependent checks be skipped. */
const BLOCKING_STATUSES: ReadonlySet<Check["status"]> = new Set(["failed", "skipped"]);

function notBefore({ name, status }: Check): Finding {
  return {
    status: "skipped",
    detail: status === "failed" ? `not checked until ${name} is fixed` : `needs ${name}`,
  };
}

async function settings({ settings, trust }: Context): Promise<Finding> {
  const { userFile, projectFile, projectServer } = settings;
  const files = [projectFile, userFile].filter((file) => file !== undefined && existsSync(file));
  const read = files.length > 0 ? `read from ${files.join(" and ")}` : "none of your own";
  const named =
    projectServer &&
    `; the project's server ${projectServer.server} is${trust.refusal() ? " not" : ""} trusted`;
  return { status: "ok", detail: `${read}${named ?? ""}` };
}

/** Checks that the directories are writable. For a missing one, its nearest existing parent counts. */
async function directories({ settings }: Context): Promise<Finding> {
  const { data, config, cache } = settings.directories;
  const uses = [
    [data, "credentials and telemetry cannot be kept"],
    [config, "settings cannot be changed"],
    [cache, "entitlements cannot be kept for offline use"],
  ] as const;
  const faults = uses.flatMap(([directory, consequence]) => {
    const reason = unwritable(directory);
    return reason ? [`${directory} is not writable (${reason}): ${consequence}`] : [];
  });
  if (faults.length === 0) return { status: "ok", detail: `${data} and those beside it are writable` };
  return {
    status: "failed",
    detail: `${faults.join("; ")}.`,
    next: "Give yourself the right to write there, or choose others with XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_CACHE_HOME.",
  };
}

function unwritable(directory: string): string | undefined {
  try {
    if (!statSync(directory).isDirectory()) return "it is no directory";
    accessSync(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? unwritable(dirname(directory)) : code;
  }
}

/** The finding if no server is configured and none answers at the default address, which is no failure. */
const NO_SERVER: Finding = {
  status: "skipped",
  detail: "none yet: reviews, diagnoses, plans and what else needs nobody are done on this machine",
  next: "For sign-in, usage and what is shared, start one with `tool serve`, or name one with `tool config set baseUrl`.",
};

async function server({ client, clock, credentials, settings }: Context): Promise<Finding> {
  const from = describeOrigin(settings.baseUrl.origin);
  const startedAt = clock.monotonic();
  try {
    await client.request("GET", "/health", { authenticate: false, retry: false });
    if (client.sawForeignAnswer())
      return notThere(`${client.baseUrl} answers, but not as a Toolplane server does.`);
    const took = duration(clock.monotonic() - startedAt);
    return { status: "ok", detail: `${client.baseUrl} answers in ${took} (address from: ${from})` };
  } catch (error) {
    if (settings.baseUrl.origin.kind === "default" && !(await credentials.read())) return NO_SERVER;
    return notThere(failed(error).detail, error instanceof Unreachable ? error.next : undefined);
  }

  function notThere(
    fault: string,
    next = "Start a server with `tool serve`, or set another address with `tool config set baseUrl`.",
  ): Finding {
    return {
      status: "failed",
      detail: `${fault} The address comes from: ${from}.`,
      next,
    };
  }
}

async function store({ client }: Context): Promise<Finding> {
  const { ready, detail } = await readinessOf(client.baseUrl);
  if (ready) return { status: "ok", detail: "the server's store answers" };
  return {
    status: "failed",
    detail: `${client.baseUrl} ${detail}.`,
    next: "Whoever runs the server finds the reason in its log, such as a full disk or a database that is away.",
  };
}

async function clock({ client, clock }: Context): Promise<Finding> {
  const { headers } = await client.request("GET", "/health", { authenticate: false, retry: false });
  const there = Date.parse(headers.date ?? "");
  if (Number.isNaN(there)) return { status: "attention", detail: "the server sends no time" };
  // The header has a resolution of one second.
  const off = Math.max(0, Math.abs(clock.now() - there) - 1000);
  if (off < CLOCK_OFF_MS) return { status: "ok", detail: "as the server's" };
  return {
    status: "failed",
    detail: `${duration(off)} ${clock.now() > there ? "ahead of" : "behind"} the server's`,
    next: "Turn on time synchronisation (NTP) here or there.",
  };
}

async function credential({ client, credentials, clock, trust }: Context): Promise<Finding> {
  const refused = trust.refusal();
  if (refused) return failed(refused);
  const view = await client.call("GET /api/v1/account", {}, { retry: false });
  const { description } = await credentials.whereabouts();
  const expiry = view.credential.expiresAt
    ? `, expires ${relativeTime(view.credential.expiresAt, clock.now())}`
    : "";
  return {
    status: "ok",
    detail: `${view.user.email}, scopes ${view.credential.scopes.join(" ")}${expiry}, kept in ${description}`,
  };
}

async function secretStore({ credentials }: Context): Promise<Finding> {
  const probe = await credentials.probe();
  if (probe.available) return { status: "ok", detail: `works, through ${probe.module}` };
  return {
    status: "attention",
    detail: `none: ${probe.reason}`,
    next: "Credentials are kept in a file that only you can read.",
  };
}

async function entitlements({ entitlements }: Context): Promise<Finding> {
  const { document, source, standing } = await entitlements.resolve();
  const { minimumCliVersion } = document.policy;
  if (olderThan(VERSION, minimumCliVersion)) {
    return {
      status: "failed",
      detail: `this is version ${VERSION}; the policy asks for ${minimumCliVersion} or later`,
      next: "Run `npm install --global toolplane@latest`.",
    };
  }
  const from = source === "server" ? "signature verified" : "from the cache";
  return {
    status: standing === "current" ? "ok" : "attention",
    detail: `plan ${planNameIn(document, document.plan)}, ${from}`,
  };
}

async function queue({ queue, clock }: Context): Promise<Finding> {
  const { events, aside, refused, dropped, off, trouble } = queue.contents();
  const detail = [
    off ? "off; nothing is recorded" : `${count(events, "event")} waiting`,
    aside > 0 ? `${count(aside, "event")} of accounts that you are not in` : "",
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
    status: well ? "ok" : "attention",
    detail,
    next: well ? undefined : "See `tool events list`; send now with `tool events flush`.",
  };
}

function failed(error: unknown): Finding {
  const { message, next } = describeFailure(error);
  return { status: "failed", detail: message, next };
}
