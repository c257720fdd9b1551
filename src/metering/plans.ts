import * as z from "zod";
import { faultsOf } from "../contract/faults.ts";
import { grants } from "../contract/gate.ts";
import { ID_TOKEN_ALGORITHMS } from "../contract/oauth-names.ts";
import { DAY_MS, DAY_S } from "../system/durations.ts";
import { readTextFile } from "../system/files/text-file.ts";
import { isObject } from "../system/is-object.ts";
import bundled from "./catalogue.json" with { type: "json" };
import { Area, Policy } from "./contract.ts";
import { gatesOf, Upstream } from "./upstreams.ts";
import { UsesPerMonth } from "./usage/vocabulary.ts";

const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be a name such as tool-cli");
const Gate = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.\*)?$/, "must be a gate such as skills.basic or skills.*");
const Requests = z.int().min(1).max(1e9);

const Limits = z
  .strictObject({
    requestsPerMinute: Requests,
    requestsPerHour: Requests,
    requestsPerDay: Requests,
    /** The most requests at once; twice `requestsPerMinute` if absent. */
    burst: Requests.optional(),
    /** Of all projects together. Beyond them, calls of MCP tools are refused; what programs report is counted. */
    usesPerMonth: UsesPerMonth.optional(),
  })
  .refine(({ requestsPerMinute, burst }) => burst === undefined || burst >= requestsPerMinute, {
    path: ["burst"],
    message: "must be at least requestsPerMinute",
  });

const Bound = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** What an account may store and occupy, in addition to its request limits. */
const Bounds = z.strictObject({
  /** Bytes of its documents as JSON text, in all projects together. */
  storageBytes: Bound,
  documents: Bound,
  /** Seconds of a worker process. Unused ones are kept for a minute. */
  computeSecondsPerMinute: Bound,
  /** Requests that compute or are queued for it, at once. */
  jobsInFlight: Bound,
  /** Open event streams of one credential. */
  streams: Bound,
});
export type Bounds = z.infer<typeof Bounds>;

/** A plan. Each grants the gates that it `adds`, and those of the tiers before it. */
const Tier = z.strictObject({
  id: Id,
  name: z.string().min(1),
  adds: z.array(Gate),
  limits: Limits,
  bounds: Bounds,
});

/** An OAuth client registered by the operator. Without a secret and keys it is a public client. */
const OAuthClient = z.strictObject({
  name: z.string().min(1),
  /** Where the browser may be redirected to; on loopback with any port. */
  redirectUris: z.array(z.string()).optional(),
  /** SHA-256 of its secret, in hex, so that the catalogue contains no secrets. */
  secretSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 digest in hex")
    .optional(),
  /** Its public keys (RFC 7517 §5), if it authenticates by signed assertions instead. */
  jwks: z.looseObject({ keys: z.array(z.looseObject({})).min(1) }).optional(),
  /** How its ID tokens are signed, by default as everything else (OpenID Connect Registration §2). */
  idTokenSignedResponseAlg: z.enum(ID_TOKEN_ALGORITHMS).optional(),
});

const Agent = z.strictObject({ id: Id, name: z.string().min(1), area: Area });
export type Agent = z.infer<typeof Agent>;

const Catalogue = z
  .strictObject({
    /** From the smallest to the largest plan. */
    tiers: z.array(Tier).min(1),
    /** How whoever signs up begins: on a larger plan for some days, before the first. */
    trial: z.strictObject({ plan: Id, days: z.int().min(1).max(365) }).optional(),
    /** Limits of single endpoints by name, in addition to the plan's. */
    endpoints: z.record(
      z.string(),
      z.strictObject({ requests: Requests, windowSeconds: z.int().min(1).max(DAY_S) }),
    ),
    /** Limit per address, for unauthenticated requests. */
    anonymous: z.strictObject({ requestsPerMinute: Requests }),
    /** Limit per credential in the control lane. */
    control: z.strictObject({ requestsPerMinute: Requests }),
    policy: Policy,
    /** By client id. Any other client is shown as unregistered. */
    clients: z.record(Id, OAuthClient),
    /** An agent is allowed by the gate of its area. */
    agents: z.array(Agent),
    /** MCP servers behind this one (docs/mcp.md). */
    upstreams: z.array(Upstream).optional(),
    /** What people know the service by, on its pages and where their browsers keep passkeys. */
    name: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .regex(/^\P{C}*$/u, "must have no control or invisible characters")
      .optional(),
    /** Where to get a larger plan. Shown to callers whose plan lacks something. */
    upgradeUrl: z.url({ protocol: /^https?$/ }).optional(),
  })
  .superRefine(({ tiers, trial, agents, upstreams = [] }, context) => {
    const fault = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    const named = { tiers: tiers.map(idOf), agents: agents.map(idOf), upstreams: upstreams.map(nameOf) };
    for (const [kind, ids] of Object.entries(named)) {
      ids.forEach((id, index) => {
        const member = kind === "upstreams" ? "name" : "id";
        if (ids.indexOf(id) < index) fault([kind, index, member], `"${id}" is there twice`);
      });
    }
    upstreams.forEach((upstream, index) => {
      for (const { gate, path } of gatesOf(upstream)) {
        if (!tierWith({ tiers }, gate)) fault(["upstreams", index, ...path], noTierAdds(gate));
      }
    });
    if (trial && !tiers.slice(1).some(({ id }) => id === trial.plan)) {
      fault(["trial", "plan"], `must be one of the "tiers" behind the first, which it ends with`);
    }
    agents.forEach(({ area }, index) => {
      if (!tierWith({ tiers }, areaGate(area))) {
        fault(["agents", index, "area"], noTierAdds(areaGate(area)));
      }
    });
  });

/** The content of a plans file: `catalogue.json`, or the file that `--plans` names. */
export type Catalogue = z.infer<typeof Catalogue>;
export type Tier = z.infer<typeof Tier>;

/** Returns what people know the service by. */
export function serviceNameIn({ name = "Toolplane" }: Pick<Catalogue, "name">): string {
  return name;
}

/** The catalogue is invalid. The message names all of its faults, and the file if it is from one. */
export class InvalidCatalogue extends Error {
  constructor(file: string | undefined, faults: string, options?: ErrorOptions) {
    const what = file === undefined ? "The catalogue" : `The plans file ${file}`;
    super(`${what} cannot be used: ${faults}`, options);
    this.name = "InvalidCatalogue";
  }
}

/** Loads the catalogue in `file`, or the bundled one. Throws `InvalidCatalogue`. */
export function loadCatalogue(file?: string): Catalogue {
  return file === undefined
    ? parseCatalogue(bundled, "catalogue.json")
    : parseCatalogue(readJson(file), file);
}

/** Validates a catalogue; errors name the `file` that it is from. Throws `InvalidCatalogue`. */
export function parseCatalogue(given: unknown, file?: string): Catalogue {
  const parsed = Catalogue.safeParse(withUsual(given));
  if (parsed.success) return parsed.data;
  const faults = faultsOf(parsed.error).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  throw new InvalidCatalogue(file, faults.join("; "));
}

/**
 * Fills in what a plans file leaves out with what the bundled catalogue says, so that it may hold upstreams alone. Only
 * agents are not filled in beside plans that may lack their gates. A tier without bounds gets those of the bundled tier
 * with the same id, or else of the one in the same position.
 */
function withUsual(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { tiers, endpoints, clients } = given;
  const { agents, ...usual } = bundled;
  const { "auth.token": token, "auth.register": register } = usual.endpoints;
  return {
    ...usual,
    ...(tiers === undefined && { agents }),
    ...given,
    ...(isObject(endpoints) && {
      endpoints: { "auth.token": token, "auth.register": register, ...endpoints },
    }),
    ...(isObject(clients) && { clients: withCommandLine(clients) }),
    ...(Array.isArray(tiers) && { tiers: tiers.map(withUsualBounds) }),
  };
}

/** Whatever clients an operator names, `tool` signs people in. Its name can be another one. */
function withCommandLine(clients: Record<string, unknown>): Record<string, unknown> {
  const { "tool-cli": named = {} } = clients;
  return { ...clients, "tool-cli": isObject(named) ? { ...bundled.clients["tool-cli"], ...named } : named };
}

function withUsualBounds(tier: unknown, index: number): unknown {
  if (!isObject(tier) || "bounds" in tier) return tier;
  const usual = bundled.tiers;
  const same = usual.find(({ id }) => id === tier.id);
  return { ...tier, bounds: (same ?? usual[Math.min(index, usual.length - 1)])?.bounds };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    throw new InvalidCatalogue(file, (error as Error).message, { cause: error });
  }
}

/** Returns the tier of a plan; the lowest one if the plan is unknown or absent. */
export function tierOf(catalogue: Pick<Catalogue, "tiers">, plan: string | undefined): Tier {
  return (catalogue.tiers.find(({ id }) => id === plan) ?? catalogue.tiers[0]) as Tier;
}

/** Returns the plan of an account that somebody signs up for at a time, and what follows it. */
export function plansAtSignUp({ tiers, trial }: Pick<Catalogue, "tiers" | "trial">, now: number) {
  const [{ id }] = tiers as [Tier];
  return trial ? { plan: trial.plan, nextPlan: { plan: id, at: now + trial.days * DAY_MS } } : { plan: id };
}

/** Returns every gate that a tier grants: those added by the tiers before it, then its own. */
export function featuresOf({ tiers }: Pick<Catalogue, "tiers">, tier: Tier): string[] {
  return [...new Set(tiers.slice(0, tiers.indexOf(tier) + 1).flatMap(({ adds }) => adds))];
}

/** Returns the lowest tier that grants a gate. */
export function tierWith({ tiers }: Pick<Catalogue, "tiers">, gate: string): Tier | undefined {
  return tiers.find(({ adds }) => grants(adds, gate));
}

/** Returns every gate with the lowest tier that grants it, in the order of the tiers. */
export function requiredTiers(catalogue: Pick<Catalogue, "tiers">): Record<string, string> {
  const gates = catalogue.tiers.flatMap(({ adds }) => adds);
  return Object.fromEntries(gates.map((gate) => [gate, (tierWith(catalogue, gate) as Tier).id]));
}

/** Returns the lowest tier that may use an agent. The validation of the catalogue ensures that it exists. */
export function requiredTier(catalogue: Catalogue, { area }: Agent): Tier {
  return tierWith(catalogue, areaGate(area)) as Tier;
}

export function mayUse(features: readonly string[], { area }: Agent): boolean {
  return grants(features, areaGate(area));
}

function noTierAdds(gate: string): string {
  return `no tier adds the gate ${gate}: name it in "adds" of the smallest of the "tiers" that is to have it`;
}

function areaGate(area: Area): string {
  return `agents.${area}`;
}

function idOf({ id }: { id: string }): string {
  return id;
}

function nameOf({ name }: { name: string }): string {
  return name;
}
