import type * as z from "zod";
import { placeIn } from "../../../accounts/page.ts";
import { allows, type Scope } from "../../../contract/caller.ts";
import type { Contract } from "../../../contract/endpoint.ts";
import type { View } from "./section.ts";

/**
 * The endpoints of a contract as functions for a section, called for the viewer and the current project. They make
 * the same checks as the API: `invalid_request` for invalid input, `forbidden` if the scope is missing.
 */
export type EndpointCalls<C extends Contract> = {
  [Name in keyof C]: (input: z.input<C[Name]["input"]>, view: View) => Promise<z.output<C[Name]["output"]>>;
};

/** Whether the viewer may use endpoints of a scope. Buttons that need another one are not shown. */
export function may({ visit }: View, scope: Scope): boolean {
  return allows(visit.signedIn.scopes, scope);
}

/** Returns a parameter of the address, trimmed; undefined if it is absent or empty. */
export function queryParam({ query }: View, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

/** Returns the order that a parameter of the address names, descending if a dash precedes it. */
export function sortIn<T extends string>(
  view: View,
  orders: readonly T[],
  name = "sort",
): T | `-${T}` | undefined {
  const sort = queryParam(view, name) ?? "";
  return orders.some((order) => order === sort.replace(/^-/, "")) ? (sort as T | `-${T}`) : undefined;
}

/** Returns all that `sortIn` takes. */
export function sorts(orders: readonly string[]): string[] {
  return orders.flatMap((order) => [order, `-${order}`]);
}

/** Returns where the address has a sorted list begin; undefined, the first page, if that is no cursor. */
export function cursorIn(view: View): string | undefined {
  const cursor = queryParam(view, "after");
  return cursor !== undefined && placeIn(cursor) ? cursor : undefined;
}

/** Returns a parameter of the address if it is one of the choices. */
export function choice<T extends string>(view: View, name: string, choices: readonly T[]): T | undefined {
  const value = queryParam(view, name);
  return choices.find((each) => each === value);
}
