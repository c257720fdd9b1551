import type { KeyChange, NewApiKey } from "../../../accounts/credentials/api-keys.ts";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { keysContract } from "../../../accounts/credentials/keys-contract.ts";
import { SCOPES } from "../../../contract/caller.ts";
import { checked } from "../../../contract/faults.ts";
import { Problem } from "../../../contract/problem.ts";
import { iso } from "../../../system/clock.ts";
import { endOfDay } from "../frame/end-of-day.ts";

/** How long an old secret may keep working, by seconds. */
export const OVERLAPS: Readonly<Record<string, string>> = {
  0: "no longer",
  3600: "for an hour more",
  86400: "for a day more",
  604800: "for a week more",
  2592000: "for 30 days more",
};

export function keyIn(form: URLSearchParams): string {
  return checked(keysContract.deleteKey.input, { keyId: form.get("key") }).keyId;
}

/** Returns the overlap in milliseconds. */
export function overlapIn(form: URLSearchParams): number {
  const seconds = form.get("overlap") ?? "";
  if (Object.hasOwn(OVERLAPS, seconds)) return Number(seconds) * 1000;
  throw new Problem("invalid_request", "Choose how long the old secret works.");
}

/** Returns the key that a form describes, validated as the API does. */
export function newKeyIn(form: URLSearchParams, now: number): NewApiKey {
  const input = keysContract.createKey.input.extend({ expiresAt: endOfDay(now).optional() });
  return checked(input, without(null, fieldsOf(form)));
}

/** Returns the changes of a form. Fields that still have their original value are left out. */
export function changeIn(form: URLSearchParams, before: KnownKey, now: number): KeyChange {
  const isSameDay =
    before.expiresAt !== undefined && form.get("expires") === iso(before.expiresAt).slice(0, 10);
  const isSameScope = before.scopes.at(-1) === form.get("may");
  const given = {
    ...fieldsOf(form),
    keyId: before.id,
    ...(isSameDay && { expiresAt: undefined }),
    ...(isSameScope && { scopes: undefined }),
  };
  const input = keysContract.updateKey.input.extend({ expiresAt: endOfDay(now).nullish() });
  const { keyId: _, ...change } = checked(input, without(undefined, given));
  return change;
}

/** Returns the fields in the API's form, except that the expiry is a day. Empty fields are null. */
function fieldsOf(form: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => form.get(name)?.trim() || null;
  const lines = (name: string) => text(name)?.split(/[\s,]+/) ?? null;
  const may = (SCOPES as readonly (string | null)[]).indexOf(form.get("may"));
  return {
    name: text("name") ?? "",
    scopes: SCOPES.slice(0, may + 1),
    projectId: text("project"),
    expiresAt: text("expires"),
    tools: lines("tools"),
    addresses: lines("addresses"),
  };
}

function without(value: unknown, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== value));
}
