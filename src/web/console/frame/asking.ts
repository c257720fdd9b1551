import type { z } from "zod";
import { allows, type Scope } from "../../../contract/caller.ts";
import type { Contract } from "../../../contract/endpoint.ts";
import type { View } from "./section.ts";

/**
 * The endpoints of a contract as a section asks them: for who looks, of the project chosen. Held to what the API
 * holds a request to: `Problem` `invalid_request` for other input, `forbidden` where the scope is not held.
 */
export type Asking<C extends Contract> = {
  [Name in keyof C]: (input: z.input<C[Name]["input"]>, view: View) => Promise<z.output<C[Name]["output"]>>;
};

/** Whether who looks may use endpoints of a scope: other buttons are not shown. */
export function may({ visit }: View, scope: Scope): boolean {
  return allows(visit.signedIn.scopes, scope);
}

/** What a page is asked for, without spaces around it; undefined where that is nothing. */
export function asked({ query }: View, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

/** One of some choices. */
export function choice<T extends string>(view: View, name: string, choices: readonly T[]): T | undefined {
  const value = asked(view, name);
  return choices.find((each) => each === value);
}
