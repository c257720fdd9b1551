import { FLASH } from "./flash.ts";
import type { View } from "./section.ts";

export const DEFAULT_PROJECT = "default";

/**
 * The address of a page of the console, in the account and the project that are chosen: an address that
 * is passed on shows the same to whoever may see it.
 */
export function addressOf(
  view: Pick<View, "visit" | "projectId">,
  path: string,
  asked: Readonly<Record<string, string | undefined>> = {},
): string {
  const { account, person } = view.visit.signedIn;
  const query = new URLSearchParams();
  if (person.memberships.length > 1) query.set("account", account.id);
  if (view.projectId !== DEFAULT_PROJECT) query.set("project", view.projectId);
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The page in hand, asked otherwise in what `changed` names. */
export function sameAddress(
  view: View,
  path: string,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  // What was just done is said once.
  return addressOf(view, path, { ...Object.fromEntries(view.query), [FLASH]: undefined, ...changed });
}
