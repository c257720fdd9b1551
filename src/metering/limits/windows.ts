import type { Account, CustomLimits } from "../../accounts/model.ts";
import { BoundedMap } from "../../system/caching.ts";
import { type ControlCaller, controlSubject, controlWindows } from "./control-lane.ts";
import {
  accountWindows,
  addressWindow,
  type EndpointLimit,
  effectiveLimits,
  endpointWindow,
  type NamedWindow,
  type PlanLimits,
  refreshWindows,
  type WindowSet,
  windowSet,
} from "./rate-limit.ts";

/** Something that requests are counted by instead of their sender: a device code, a sign-in. */
export interface CountedSubject {
  key: string;
  /** The account of a sign-in that gets new tokens. */
  accountId?: string;
}

/**
 * Chooses the windows that a request counts in. `endpoint` is the name of an API endpoint, if the request is for one.
 */
export interface Windows {
  ofAccount(account: Account, endpoint?: string): WindowSet;
  /** The windows of the control lane, counted by credential, including the endpoint's own limit. */
  ofControl(caller: ControlCaller, endpoint?: string): WindowSet;
  /** Only the endpoint's own window, for a caller whose request is already counted. */
  ofEndpoint(account: Account, endpoint: string): WindowSet | undefined;
  /**
   * @param subject the key that an address is counted by
   * @param stale counts requests with an expired credential separately: a program whose key was revoked keeps
   * sending, and must not prevent people from signing in from the same address
   */
  ofAddress(subject: string, endpoint?: string, stale?: boolean): WindowSet;
  /**
   * The windows of an endpoint that counts by a value in its request. Those of a sign-in include days: its tokens are
   * kept for up to a month after they were replaced, to detect thieves, and count as nobody's storage.
   */
  ofSubject(subject: CountedSubject, endpoint: string): WindowSet | undefined;
}

/** Number of sets cached. */
const MAX_SETS = 10_000;

interface Kept {
  plan: string;
  limits: CustomLimits | undefined;
  own: number | undefined;
  set: WindowSet;
}

/** Creates the windows. An account's set is cached until its plan or limits change. */
export function createWindows({
  planOf,
  upgradeUrl,
  endpointLimits,
  anonymousPerMinute,
  controlPerMinute,
}: {
  planOf: (plan: string) => { name: string; limits: PlanLimits };
  /** Where people get a larger plan, for refusals. */
  upgradeUrl?: string | undefined;
  endpointLimits: Readonly<Record<string, EndpointLimit>>;
  anonymousPerMinute: number;
  controlPerMinute: number;
}): Windows {
  const kept = new BoundedMap<string, Kept>(MAX_SETS);

  function limitOf(endpoint: string | undefined): EndpointLimit | undefined {
    return endpoint === undefined ? undefined : endpointLimits[endpoint];
  }

  function ownWindow(subject: string, endpoint: string, own: number | undefined): NamedWindow | undefined {
    // An account's custom limit per minute overrides the catalogue's.
    const limit = own === undefined ? limitOf(endpoint) : { requests: own, windowSeconds: 60 };
    return limit && endpointWindow(subject, endpoint, limit);
  }

  function makeOfAccount(
    { id, plan, limits }: Account,
    endpoint: string | undefined,
    own: number | undefined,
  ) {
    const { name, limits: ofPlan } = planOf(plan);
    const windows = accountWindows(id, ofPlan, limits, { planName: name, upgradeUrl });
    const window = endpoint === undefined ? undefined : ownWindow(`account/${id}`, endpoint, own);
    if (window) windows.push(window);
    return windowSet(windows);
  }

  return {
    ofAccount(account, endpoint) {
      const { id, plan, limits } = account;
      const own = endpoint === undefined ? undefined : limits?.endpoints?.[endpoint];
      const key = endpoint === undefined ? id : `${id} ${endpoint}`;
      const found = kept.get(key);
      if (found && found.plan === plan && found.own === own && same(found.limits, limits)) return found.set;
      const set = makeOfAccount(account, endpoint, own);
      kept.set(key, { plan, limits, own, set });
      return set;
    },
    ofControl(caller, endpoint) {
      const { plan, limits } = caller.account;
      const { requestsPerMinute } = effectiveLimits(planOf(plan).limits, limits);
      const windows = controlWindows(caller, controlPerMinute, requestsPerMinute);
      const own = endpoint === undefined ? undefined : limits?.endpoints?.[endpoint];
      const window = endpoint === undefined ? undefined : ownWindow(controlSubject(caller), endpoint, own);
      return windowSet(window ? [...windows, window] : windows);
    },
    ofEndpoint({ id, limits }, endpoint) {
      const window = ownWindow(`account/${id}`, endpoint, limits?.endpoints?.[endpoint]);
      return window && windowSet([window]);
    },
    ofAddress(subject, endpoint, stale = false) {
      const windows = [addressWindow(stale ? `${subject}/stale` : subject, anonymousPerMinute)];
      const limit = limitOf(endpoint);
      if (endpoint !== undefined && limit) windows.push(endpointWindow(subject, endpoint, limit));
      return windowSet(windows);
    },
    ofSubject({ key, accountId }, endpoint) {
      const limit = limitOf(endpoint);
      if (!limit) return undefined;
      const window = endpointWindow(key, endpoint, limit);
      return windowSet(accountId === undefined ? [window] : [window, ...refreshWindows(key, accountId)]);
    },
  };
}

function same(left: CustomLimits | undefined, right: CustomLimits | undefined): boolean {
  return (
    left?.requestsPerMinute === right?.requestsPerMinute &&
    left?.requestsPerHour === right?.requestsPerHour &&
    left?.requestsPerDay === right?.requestsPerDay &&
    left?.burst === right?.burst
  );
}
