import type { Account } from "../../accounts/model.ts";
import type { Problem } from "../../contract/problem.ts";
import { rateLimited } from "../../contract/retry-later.ts";
import type { LimitWindow, Verdict, WindowState } from "../../store/store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../system/durations.ts";
import { wait } from "../../text/amounts.ts";
import { largerPlan, ofPlan } from "./bounds.ts";

/** The request limits of a plan. `burst` defaults to twice the minute. */
export interface PlanLimits {
  requestsPerMinute: number;
  requestsPerHour: number;
  requestsPerDay: number;
  burst?: number;
}

/** An endpoint's own limit, in a fixed window. */
export interface EndpointLimit {
  requests: number;
  windowSeconds: number;
}

/** A window with the values that messages and headers show. */
export interface NamedWindow extends LimitWindow {
  /** `minute`, `hour`, `day`, `control`, or the endpoint's name. */
  name: string;
  /** The promised number of requests: for a bucket the plan's figure, not the burst. */
  limit: number;
  /** A rate limit policy such as `20;w=60`. */
  policy: string;
  /** What people call the account's plan, for messages; undefined of other limits. */
  planName?: string | undefined;
  /** Where people get a larger plan. */
  upgradeUrl?: string | undefined;
}

/** All windows that one request counts in. */
export interface WindowSet {
  readonly windows: readonly NamedWindow[];
  /** The RateLimit-Policy field of draft-ietf-httpapi-ratelimit-headers. */
  readonly policy: string;
}

export function windowSet(windows: readonly NamedWindow[]): WindowSet {
  const policies = windows.map(
    ({ name, capacity, windowMs }) => `"${name}";q=${capacity};w=${windowMs / 1000}`,
  );
  return { windows, policy: policies.join(", ") };
}

/** The values of the four `X-RateLimit-*` headers, for one window, and of the IETF fields, for all windows. */
export interface LimitReport {
  limit: number;
  remaining: number;
  /** Unix time in whole seconds. */
  reset: number;
  policy: string;
  /** The RateLimit and RateLimit-Policy fields of draft-ietf-httpapi-ratelimit-headers. */
  standard: { limit: string; policy: string };
}

/** Returns the windows that every request of an account counts in. */
export function accountWindows(
  accountId: string,
  plan: PlanLimits,
  custom: Account["limits"],
  told: Pick<NamedWindow, "planName" | "upgradeUrl"> = {},
): NamedWindow[] {
  const limits = effectiveLimits(plan, custom);
  const key = `account/${accountId}`;
  return [
    bucket(`${key}/minute`, limits.requestsPerMinute, limits.burst),
    fixed(`${key}/hour`, "hour", limits.requestsPerHour, HOUR_MS),
    fixed(`${key}/day`, "day", limits.requestsPerDay, DAY_MS),
  ].map((window) => ({ ...window, ...told }));
}

/**
 * Returns an account's limits: its custom ones, and its plan's for the rest. The burst follows the minute by default.
 */
export function effectiveLimits(plan: PlanLimits, custom: Account["limits"]): Required<PlanLimits> {
  const requestsPerMinute = custom?.requestsPerMinute ?? plan.requestsPerMinute;
  const burst =
    custom?.burst ??
    (custom?.requestsPerMinute === undefined ? plan.burst : undefined) ??
    2 * requestsPerMinute;
  return {
    requestsPerMinute,
    requestsPerHour: custom?.requestsPerHour ?? plan.requestsPerHour,
    requestsPerDay: custom?.requestsPerDay ?? plan.requestsPerDay,
    burst,
  };
}

/** Returns the window of an endpoint's own limit, counted by `subject`: an account, an address, a device code. */
export function endpointWindow(subject: string, endpoint: string, limit: EndpointLimit): NamedWindow {
  return fixed(`${subject}/${endpoint}`, endpoint, limit.requests, limit.windowSeconds * 1000);
}

/** Returns the window of unauthenticated requests. */
export function addressWindow(subject: string, requestsPerMinute: number): NamedWindow {
  return fixed(`${subject}/minute`, "minute", requestsPerMinute, MINUTE_MS);
}

/** Returns a window of the control lane, for one credential or for all of a class. */
export function controlWindow(key: string, name: string, requestsPerMinute: number): NamedWindow {
  return fixed(`${key}/minute`, name, requestsPerMinute, MINUTE_MS);
}

/** Refreshes a day: of a sign-in, and of all sign-ins of an account, which are a thousand at most. */
const MAX_REFRESHES = { family: 1_000, account: 50_000 };

/** Returns the daily windows of new tokens for a sign-in. Being buckets, they never refuse for a whole day. */
export function refreshWindows(family: string, accountId: string): NamedWindow[] {
  const daily = (key: string, name: string, limit: number): NamedWindow => ({
    ...fixed(`${key}/refreshes`, name, limit, DAY_MS),
    kind: "bucket",
  });
  return [
    daily(family, "refreshes", MAX_REFRESHES.family),
    daily(`account/${accountId}`, "refreshes-account", MAX_REFRESHES.account),
  ];
}

/** Returns a bucket. Its key contains the figures, so that a changed limit starts full and applies at once. */
function bucket(key: string, perMinute: number, burst: number): NamedWindow {
  return {
    key: `${key}/${perMinute}-${burst}`,
    name: "minute",
    kind: "bucket",
    capacity: burst,
    refill: perMinute,
    windowMs: MINUTE_MS,
    limit: perMinute,
    policy: `${perMinute};w=60`,
  };
}

function fixed(key: string, name: string, capacity: number, windowMs: number): NamedWindow {
  return {
    key,
    name,
    kind: "fixed",
    capacity,
    windowMs,
    limit: capacity,
    policy: `${capacity};w=${windowMs / 1000}`,
  };
}

/** Returns the values for the headers: of the blocking window, or else the one with the smallest share left. */
export function report({ windows, policy }: WindowSet, verdict: Verdict, now: number): LimitReport {
  let chosen = 0;
  let smallest = Number.POSITIVE_INFINITY;
  let limits = "";
  for (let index = 0; index < windows.length; index++) {
    const window = windows[index] as NamedWindow;
    const state = verdict.windows[index] as WindowState;
    const share = shown(window, state) / window.limit;
    if (share < smallest) {
      smallest = share;
      chosen = index;
    }
    const left = Math.max(0, Math.floor(state.remaining));
    const seconds = Math.max(0, Math.ceil((state.resetAt - now) / 1000));
    limits += `${index === 0 ? '"' : ', "'}${window.name}";r=${left};t=${seconds}`;
  }
  if (!verdict.admitted) chosen = Math.max(0, blockingIndex(verdict.windows));
  const window = windows[chosen] as NamedWindow;
  const state = verdict.windows[chosen] as WindowState;
  return {
    limit: window.limit,
    remaining: shown(window, state),
    reset: Math.ceil(state.resetAt / 1000),
    policy: window.policy,
    standard: { limit: limits, policy },
  };
}

/** Returns the remaining requests to show: 0 at the plan's figure, and throughout the burst. */
function shown(window: NamedWindow, state: WindowState): number {
  return Math.max(0, Math.floor(state.remaining) - (window.capacity - window.limit));
}

/** Returns the index of the blocking window that opens last; -1 if none blocks. */
function blockingIndex(states: readonly WindowState[]): number {
  let index = -1;
  let latest = Number.NEGATIVE_INFINITY;
  states.forEach((state, position) => {
    if (state.remaining < 1 && state.nextAt > latest) {
      latest = state.nextAt;
      index = position;
    }
  });
  return index;
}

/** Returns the 429 of a refused admission, which names the blocking window, and the plan if it is the account's. */
export function refusal({ windows }: WindowSet, verdict: Verdict, now: number): Problem {
  const index = Math.max(0, blockingIndex(verdict.windows));
  const window = windows[index] as NamedWindow;
  const seconds = Math.max(1, Math.ceil(((verdict.windows[index] as WindowState).nextAt - now) / 1000));
  const what = `${window.limit} requests ${lengthOf(window)}${purposeOf(window)}`;
  const { planName, upgradeUrl } = window;
  const [whose, orElse] =
    planName === undefined
      ? ["", "."]
      : [` of this account${ofPlan(planName)}`, `, or ${largerPlan(upgradeUrl)}`];
  return rateLimited(
    `The limit of ${what}${whose} is used up. Try again in ${wait(1000 * seconds)}${orElse}`,
    window.name,
    seconds,
    upgradeUrl,
  );
}

function lengthOf(window: NamedWindow): string {
  if (window.windowMs === MINUTE_MS) return "a minute";
  if (window.windowMs === HOUR_MS) return "an hour";
  if (window.windowMs === DAY_MS) return "a day";
  return `in ${window.windowMs / 1000} s`;
}

const PURPOSES: Readonly<Record<string, string>> = {
  minute: "",
  hour: "",
  day: "",
  control: " for administration with one credential",
  "control-account": " for administration of one account",
  refreshes: " for new tokens of one sign-in",
  "refreshes-account": " for new tokens of one account",
};

function purposeOf({ name }: NamedWindow): string {
  return PURPOSES[name] ?? ` on ${name}`;
}
