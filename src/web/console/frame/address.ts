import { FLASH } from "./flash.ts";
import type { View } from "./section.ts";

export const DEFAULT_PROJECT = "default";

/**
 * Returns the address of a console page in the current account and project. An address that is passed on shows the
 * same to everyone who may see it.
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

/** Returns the current page's address with some parameters changed. */
export function sameAddress(
  view: View,
  path: string,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  // The outcome of a form is shown once.
  return addressOf(view, path, { ...Object.fromEntries(view.query), [FLASH]: undefined, ...changed });
}
