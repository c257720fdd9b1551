import type { RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import type { Output } from "../../terminal/io.ts";
import { sparkline } from "../../ui/chart.ts";
import { number, relativeTime } from "../../ui/format.ts";
import { fields } from "../../ui/table.ts";
import { stateOf } from "./list.ts";

type Style = Output["style"];
type Shown = RouteOutput<"GET /api/v1/tools/observability/errors/{fingerprint}">["error"];

/** The most occurrences to show; `--json` has all that the server returns. */
const OCCURRENCES = 5;

export async function show(context: Context, fingerprint: string): Promise<Outcome> {
  const shown = await context.client.call("GET /api/v1/tools/observability/errors/{fingerprint}", {
    fingerprint,
  });
  return { document: shown, lines: linesOf(shown.error, context) };
}

function linesOf(error: Shown, { clock, io: { out } }: Context): string[] {
  const { style, symbols } = out;
  const ago = (at: string) => relativeTime(at, clock.now());
  const { message, type, releases = [], environments = [], occurrences, decision } = error;
  const decided = decision ? ` ${ago(decision.at)} by ${decision.by}${untilOf(decision)}` : "";
  return [
    style.bold(message === "" ? type : `${type}: ${message}`),
    "",
    ...fields(
      [
        ["State", `${stateOf(error)}${decided}`],
        [
          "Seen",
          `${number(error.count)} times, first ${ago(error.firstSeenAt)}, last ${ago(error.lastSeenAt)}`,
        ],
        ["14 days", sparkline(error.daily.counts.slice(-14), symbols)],
        ["Where", error.route ?? ""],
        ["Releases", releases.map(({ name, count }) => `${name} (${number(count)})`).join(", ")],
        ["In", environments.join(", ")],
        ["Users", error.usersAffected === undefined ? "" : `about ${number(error.usersAffected)}`],
      ].filter((pair): pair is [string, string] => pair[1] !== ""),
      out,
    ),
    ...stackOf(error, style),
    ...(occurrences.length === 0 ? [] : ["", style.bold("Last")]),
    ...occurrences.slice(0, OCCURRENCES).map(({ at, release, environment, traceId, tags = {} }) => {
      const labels = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
      const said = [release, environment, traceId && `trace ${traceId}`, ...labels];
      return `  ${[ago(at), ...said.filter((word) => word !== undefined)].join("  ")}`;
    }),
  ];
}

/**
 * Returns the stack without its message, restored by source maps if possible, and then with the source of the
 * innermost call.
 */
function stackOf({ stack, restored, message }: Shown, style: Style): string[] {
  if (stack === undefined) return [];
  const [first] = restored?.frames ?? [];
  const calls = (restored?.stack ?? stack).split("\n").slice(message.split("\n").length);
  if (!first?.source) return ["", ...calls];
  const { from, lines } = first.source;
  const width = String(from + lines.length).length;
  const source = lines.map((text, index) => {
    const number = from + index;
    const shown = `  ${number === first.line ? ">" : " "} ${String(number).padStart(width)}  ${text}`;
    return number === first.line ? style.bold(shown) : style.dim(shown);
  });
  return ["", ...calls, "", ...source];
}

function untilOf({ inNextRelease, untilCount, until }: NonNullable<Shown["decision"]>): string {
  if (inNextRelease) return ", for the next release";
  const ends = [untilCount !== undefined && `${number(untilCount)} times`, until].filter(Boolean);
  return ends.length > 0 ? `, until ${ends.join(" or ")}` : "";
}
