import type { KeyChange, KnownKey, NewApiKey } from "../../../accounts/credentials/api-keys.ts";
import { keysContract } from "../../../accounts/credentials/keys-contract.ts";
import { SCOPES } from "../../../contract/caller.ts";
import { checked } from "../../../contract/faults.ts";
import { Problem } from "../../../contract/problem.ts";
import { iso, parseTime } from "../../../system/clock.ts";

const DAY_S = 24 * 60 * 60;

/** How long an old secret may go on, in seconds. */
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

/** Milliseconds. */
export function overlapIn(form: URLSearchParams): number {
  const seconds = form.get("overlap") ?? "";
  if (Object.hasOwn(OVERLAPS, seconds)) return Number(seconds) * 1000;
  throw new Problem("invalid_request", "Choose how long the old secret works.");
}

/** The key that a form describes, held to what the API holds it to. */
export function newKeyIn(form: URLSearchParams, now: number): NewApiKey {
  const { expiresAt, ...key } = checked(keysContract.createKey.input, without(null, fieldsOf(form, now)));
  return { ...key, ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }) };
}

/** What a form changes of a key: a field that was left as it was shown is none. */
export function changeIn(form: URLSearchParams, before: KnownKey, now: number): KeyChange {
  const fields = fieldsOf(form, now);
  const isSameDay =
    before.expiresAt !== undefined && form.get("expires") === iso(before.expiresAt).slice(0, 10);
  const isSameScope = before.scopes.at(-1) === form.get("may");
  const given = {
    ...fields,
    keyId: before.id,
    ...(isSameDay && { expiresAt: undefined }),
    ...(isSameScope && { scopes: undefined }),
  };
  const { keyId: _, expiresAt, ...change } = checked(keysContract.updateKey.input, without(undefined, given));
  return { ...change, expiresAt: typeof expiresAt === "string" ? Date.parse(expiresAt) : expiresAt };
}

/** As the API takes them; null where a field is empty. */
function fieldsOf(form: URLSearchParams, now: number): Record<string, unknown> {
  const text = (name: string) => form.get(name)?.trim() || null;
  const lines = (name: string) => text(name)?.split(/[\s,]+/) ?? null;
  const may = (SCOPES as readonly (string | null)[]).indexOf(form.get("may"));
  if (may < 0) throw new Problem("invalid_request", "Choose what the key may do.");
  return {
    name: text("name") ?? "",
    scopes: SCOPES.slice(0, may + 1),
    projectId: text("project"),
    expiresAt: endOf(text("expires"), now),
    tools: lines("tools"),
    addresses: lines("addresses"),
  };
}

/** When a day in UTC is over. */
function endOf(day: string | null, now: number): string | null {
  if (day === null) return null;
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? parseTime(day) : Number.NaN;
  if (Number.isNaN(start)) throw new Problem("invalid_request", "A date is written as in 2027-01-31.");
  if (start + DAY_S * 1000 <= now) throw new Problem("invalid_request", "A key cannot expire in the past.");
  return iso(start + DAY_S * 1000 - 1);
}

function without(value: unknown, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== value));
}
