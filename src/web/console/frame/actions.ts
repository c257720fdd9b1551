import type { ReactNode } from "react";
import { Problem } from "../../../contract/problem.ts";
import type { Done, View } from "./section.ts";

/** The actions of a section's forms, by their field `do`. */
export type Actions = Record<string, (view: View, form: URLSearchParams) => Promise<Done | ReactNode>>;

/** Performs the action of a form. Throws `invalid_request` if it is unknown. */
export function perform(actions: Actions, form: URLSearchParams, view: View): Promise<Done | ReactNode> {
  const name = form.get("do") ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
  return action(view, form);
}
