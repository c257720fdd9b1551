import { nameOfPlan } from "../accounts/plan.ts";
import { grants } from "../contract/gate.ts";
import { type Catalogue, tierWith } from "../metering/plans.ts";
import { gatedOf, type Upstream } from "../metering/upstreams.ts";
import { isObject } from "../system/is-object.ts";
import { othersFirst } from "../system/others-first.ts";
import type { Message } from "./message.ts";

/** What a caller is entitled to by plan and key. */
export interface Rights {
  /** Id of the plan's tier. */
  plan: string;
  features: readonly string[];
  /** For a key bound to certain tools: whether it may call a tool. All are allowed if absent. */
  isFor?: ((tool: string) => boolean) | undefined;
}

/** Why an item is not available. */
export interface Lack {
  gate: string;
  /** Explanation for the model and its user. */
  message: string;
  requiredPlan: string | undefined;
  upgradeUrl: string | undefined;
}

export interface Gates {
  /** Resolves with what the plan lacks for a message; undefined if the message may pass. */
  lackOf(message: Message, rights: Rights): Promise<Lack | undefined>;
  /**
   * Removes from a list result what the plan lacks and the key is not bound to. Resolves with the same object if nothing is
   * removed. Gives others their turn in a long list.
   */
  filter(method: string, result: Result, rights: Rights): Promise<Result>;
  /** Whether answers to a method must be buffered, because items may have to be removed. */
  filters(method: string, rights: Rights): boolean;
  /** As `filter`, for an answer to an unknown request, such as one that is redelivered. */
  filterAny(result: Result, rights: Rights): Promise<Result>;
  /** Whether items may have to be removed from any answer. */
  filtersAny(rights: Rights): boolean;
}

type Result = Record<string, unknown>;

/** Names that are held against the gates in one turn. That of a resource may take 0.1 ms. */
const MOST_AT_ONCE = 100;

const KINDS = ["tools", "prompts", "resources"] as const;
type Kind = (typeof KINDS)[number];

const LISTS: Readonly<Record<string, { member: string; kind: Kind; by: string }>> = {
  "tools/list": { member: "tools", kind: "tools", by: "name" },
  "prompts/list": { member: "prompts", kind: "prompts", by: "name" },
  "resources/list": { member: "resources", kind: "resources", by: "uri" },
  "resources/templates/list": { member: "resourceTemplates", kind: "resources", by: "uriTemplate" },
};

const KIND_OF: Readonly<Record<string, Kind>> = {
  "tools/call": "tools",
  "prompts/get": "prompts",
  "resources/read": "resources",
  "resources/subscribe": "resources",
};

const WORDS: Record<Kind, string> = { tools: "tool", prompts: "prompt", resources: "resource" };

/** Creates the gates that decide which parts of an upstream a plan opens. */
export function createGates(
  upstream: Upstream,
  { tiers, upgradeUrl }: Pick<Catalogue, "tiers" | "upgradeUrl">,
): Gates {
  const gated = {
    tools: gatedOf(upstream.tools),
    prompts: gatedOf(upstream.prompts),
    resources: gatedOf(upstream.resources),
  };

  /** Returns a gate of an item that the plan does not grant. */
  function lackingGate(kind: Kind, name: string, { features }: Rights): string | undefined {
    if (gated[kind].length === 0) return undefined;
    const readings = kind === "resources" ? readingsOf(name) : [name];
    return readings
      .map((reading) => gated[kind].find(({ matches }) => matches(reading))?.gate)
      .find((asked) => asked !== undefined && !grants(features, asked));
  }

  function lack(kind: Kind, name: string, rights: Rights): Lack | undefined {
    const gate = lackingGate(kind, name, rights);
    if (gate === undefined) return undefined;
    const { plan } = rights;
    const required = tierWith({ tiers }, gate);
    const what = `the ${WORDS[kind]} "${name}"`;
    const holder = nameOfPlan(tiers, plan);
    const least = required ? `It comes with the plan ${required.name}` : "No plan of this server has it";
    const where = upgradeUrl === undefined ? "." : `: ${upgradeUrl}`;
    return {
      gate,
      message: `The plan ${holder} does not include ${what} of ${upstream.title ?? upstream.name}. ${least}${where}`,
      requiredPlan: required?.id,
      upgradeUrl,
    };
  }

  async function filter(method: string, result: Result, rights: Rights): Promise<Result> {
    const list = listOf(method);
    const entries = list && result[list.member];
    if (!list || !Array.isArray(entries)) return result;
    if (!mayLeaveOut(list.kind, rights)) return result;
    const isBound = list.kind === "tools" && rights.isFor !== undefined;
    const kept: unknown[] = [];
    for (const [at, entry] of entries.entries()) {
      if (at % MOST_AT_ONCE === MOST_AT_ONCE - 1) await othersFirst();
      const name = isObject(entry) ? entry[list.by] : undefined;
      const isKept =
        typeof name !== "string"
          ? !isBound
          : !(isBound && !rights.isFor?.(name)) && lackingGate(list.kind, name, rights) === undefined;
      if (isKept) kept.push(entry);
    }
    // The list differs by plan, so shared caches must not store it (MCP 2026-07-28, Caching).
    const isShared = result.cacheScope === "public";
    if (kept.length === entries.length && !isShared) return result;
    return { ...result, [list.member]: kept, ...(isShared && { cacheScope: "private" }) };
  }

  return {
    filter,
    async filterAny(result, rights) {
      let filtered = result;
      for (const method of Object.keys(LISTS)) filtered = await filter(method, filtered, rights);
      return filtered;
    },
    filtersAny: (rights) => KINDS.some((kind) => mayLeaveOut(kind, rights)),
    async lackOf(message, rights) {
      for (const [at, [kind, name]] of subjectsOf(message).entries()) {
        if (at % MOST_AT_ONCE === MOST_AT_ONCE - 1) await othersFirst();
        const found = lack(kind, name, rights);
        if (found) return found;
      }
      return undefined;
    },
    filters: (method, rights) => {
      const list = listOf(method);
      return list !== undefined && mayLeaveOut(list.kind, rights);
    },
  };

  function mayLeaveOut(kind: Kind, { isFor }: Rights): boolean {
    return gated[kind].length > 0 || (kind === "tools" && isFor !== undefined);
  }
}

/** Rounds of decoding and resolving. A server may do each once or twice, in any order. */
const ROUNDS = 3;

/**
 * Returns a URI as sent and as servers may interpret it: the official SDKs look it up as serialised by their URL
 * parser, others decode it first (RFC 3986 §6.2.2) and resolve the dots that this reveals, and file systems take
 * several slashes for one. A gate on any of these forms applies.
 */
function readingsOf(uri: string): string[] {
  const readings = new Set([uri]);
  let fresh = [uri];
  for (let round = 0; round < ROUNDS && fresh.length > 0; round++) {
    const before = readings.size;
    for (const each of fresh) {
      readings.add(unescaped(each)).add(withSingleSlashes(each));
      if (URL.canParse(each)) readings.add(new URL(each).href);
    }
    fresh = [...readings].slice(before);
  }
  return [...readings];
}

function withSingleSlashes(uri: string): string {
  return uri.replace(/([^:/])\/{2,}/g, "$1/");
}

/** Decodes percent escapes, in one pass, since callers choose how many there are. */
function unescaped(uri: string): string {
  if (!uri.includes("%")) return uri;
  const bytes = Buffer.from(uri);
  let end = 0;
  for (let at = 0; at < bytes.length; end++) {
    const [high, low] = bytes[at] === PERCENT ? [digitOf(bytes[at + 1]), digitOf(bytes[at + 2])] : [];
    const isEscape = high !== undefined && low !== undefined;
    bytes[end] = isEscape ? 16 * high + low : (bytes[at] as number);
    at += isEscape ? 3 : 1;
  }
  return bytes.toString("utf8", 0, end);
}

const PERCENT = 0x25;

/** Returns the value of a hexadecimal digit, given as its character code. */
function digitOf(code = 0): number | undefined {
  const value = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? undefined : value;
}

/** Whether a method answers with a list, from which items may have to be removed. */
export function isList(method: string): boolean {
  return listOf(method) !== undefined;
}

function listOf(method: string) {
  return Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
}

/** Returns everything a message refers to, including for completion of arguments and for subscriptions. */
function subjectsOf({ method, params, subject }: Message): [Kind, string][] {
  const kind = Object.hasOwn(KIND_OF, method) ? KIND_OF[method] : undefined;
  if (kind !== undefined && subject !== undefined) return [[kind, subject]];
  if (method === "completion/complete" && isObject(params.ref)) {
    const { type, name, uri } = params.ref;
    if (type === "ref/prompt" && typeof name === "string") return [["prompts", name]];
    if (type === "ref/resource" && typeof uri === "string") return [["resources", uri]];
  }
  if (method === "subscriptions/listen" && isObject(params.notifications)) {
    const uris = params.notifications.resourceSubscriptions;
    if (Array.isArray(uris))
      return uris.filter((uri) => typeof uri === "string").map((uri) => ["resources", uri]);
  }
  return [];
}
