import * as z from "zod";
import { accountsContract } from "../../../accounts/contract.ts";
import type { CustomLimits, NextPlan } from "../../../accounts/model.ts";
import { checked } from "../../../contract/faults.ts";
import { USAGE_TYPES, type UsageType } from "../../../metering/contract.ts";
import { iso } from "../../../system/clock.ts";
import { grouped } from "../../../text/grouped.ts";
import { endOfDay } from "../frame/end-of-day.ts";
import { type Bound, boundInWords } from "../limits/meters.tsx";
import { usesAMonth } from "../usage/names.ts";
import { REQUEST_LIMIT_NAMES, REQUEST_LIMITS, usesField } from "./forms.tsx";

const { createAccount, updateAccount } = accountsContract;

/** Returns the account that a form describes, validated as the API does. */
export function newAccountIn(form: URLSearchParams, now: number) {
  const asked = { name: form.get("name"), ownerEmail: form.get("owner"), ...plansFrom(form) };
  const input = createAccount.input.extend({ nextPlan: followingPlan(now).optional() });
  return checked(input, asked);
}

/** Returns which account a form gives a plan, and what follows that: null if nothing does. */
export function plansIn(form: URLSearchParams, now: number) {
  const asked = { accountId: form.get("id"), ...plansFrom(form) };
  // A form always sends the plan, while the API leaves it unchanged if it is absent.
  const input = updateAccount.input
    .required({ plan: true })
    .extend({ nextPlan: followingPlan(now).optional() });
  const { accountId, plan, nextPlan = null } = checked(input, asked);
  return { accountId, plan, nextPlan };
}

/** Returns what is to follow an account's plan, at the time that was set before if that is on the same day. */
export function atTimeBefore(nextPlan: NextPlan | null, before: NextPlan | undefined): NextPlan | null {
  const day = (at: number) => iso(at).slice(0, 10);
  return nextPlan && before && day(nextPlan.at) === day(before.at)
    ? { ...nextPlan, at: before.at }
    : nextPlan;
}

/** Returns the plans that an account had, as `plansOf` gives them, in JSON. */
export function plansBeforeIn(form: URLSearchParams): { plan: string; nextPlan: NextPlan | null } {
  const input = updateAccount.input.required({ plan: true });
  const plans = jsonIn(form.get("plans") ?? "");
  const { plan, nextPlan } = checked(input, { ...Object(plans), accountId: "acc" });
  return { plan, nextPlan: nextPlan ? { ...nextPlan, at: Date.parse(nextPlan.at) } : null };
}

function plansFrom(form: URLSearchParams) {
  const until = form.get("until")?.trim();
  return { plan: form.get("plan"), ...(until && { nextPlan: { plan: form.get("next"), at: until } }) };
}

function followingPlan(now: number) {
  return z.object({ plan: z.string(), at: endOfDay(now) });
}

export function idIn(form: URLSearchParams): string {
  return checked(accountsContract.updateAccount.input, { accountId: form.get("id") }).accountId;
}

/** Returns the limits with those of a form replaced. An empty field removes a limit. */
export function limitsIn(form: URLSearchParams, before: CustomLimits): CustomLimits {
  const { usesPerMonth: _, ...limits }: Record<string, unknown> = { ...before };
  const uses = { ...before.usesPerMonth };
  for (const name of REQUEST_LIMIT_NAMES) replaceLimit(limits, name, form.get(name));
  for (const type of USAGE_TYPES) replaceLimit(uses, type, form.get(usesField(type)));
  const own = Object.keys(uses).length > 0 ? { usesPerMonth: uses } : {};
  return checkedLimits(JSON.stringify({ ...limits, ...own }));
}

function replaceLimit(limits: Record<string, unknown>, name: string, field: string | null): void {
  const text = field?.replace(/[\s,]/g, "") ?? "";
  if (text === "") delete limits[name];
  else limits[name] = /^\d+$/.test(text) ? Number(text) : text;
}

export function checkedLimits(text: string): CustomLimits {
  return (
    checked(accountsContract.updateAccount.input, { accountId: "acc", limits: jsonIn(text) }).limits ?? {}
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function limitsInWords({ usesPerMonth = {}, endpoints = {}, ...others }: CustomLimits): string {
  const requests = (name: string): name is keyof typeof REQUEST_LIMITS => Object.hasOwn(REQUEST_LIMITS, name);
  return [
    ...Object.entries(others).map(([name, most]) =>
      requests(name)
        ? `${grouped(most)} ${REQUEST_LIMITS[name].toLowerCase()}`
        : boundInWords(name as Bound, most),
    ),
    ...Object.entries(usesPerMonth).map(([type, most]) => usesAMonth(type as UsageType, most)),
    ...Object.entries(endpoints).map(([name, most]) => `${grouped(most)} requests a minute to ${name}`),
  ].join(", ");
}
