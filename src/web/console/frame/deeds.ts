import type { ReactNode } from "react";
import { Problem } from "../../../contract/problem.ts";
import type { Done, View } from "./section.ts";

/** What the forms of a section do, by their field `do`. */
export type Deeds = Record<string, (view: View, form: URLSearchParams) => Promise<Done | ReactNode>>;

/** Does what a form asks for; `Problem` `invalid_request` where there is no such deed. */
export function performed(deeds: Deeds, form: URLSearchParams, view: View): Promise<Done | ReactNode> {
  const name = form.get("do") ?? "";
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined;
  if (!deed) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
  return deed(view, form);
}
