import type { RouteOutput } from "../../../client/routes.ts";
import type { Output } from "../../terminal/io.ts";
import { listed } from "../../ui/format.ts";

export type View = RouteOutput<"GET /api/v1/tools/pair/session/{sessionId}">;
export type Session = View["session"];
export type Change = View["changes"][number];

const MAX_NAMED = 6;

/** Returns a text such as `alice drives · bob, carol navigate`. */
export function roles(
  { participants }: Pick<Session, "participants">,
  { symbols }: Pick<Output, "symbols">,
): string {
  const of = (role: string) => participants.filter((each) => each.role === role).map(({ id }) => id);
  const said = (names: string[], one: string, many: string) => {
    return names.length === 0 ? [] : [`${listed(names, MAX_NAMED)} ${names.length === 1 ? one : many}`];
  };
  return [...said(of("driver"), "drives", "drive"), ...said(of("navigator"), "navigates", "navigate")].join(
    ` ${symbols.dot} `,
  );
}
