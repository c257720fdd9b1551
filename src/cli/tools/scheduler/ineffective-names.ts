import type { RouteInput } from "../../../client/routes.ts";
import { didYouMean } from "../../../contract/near-names.ts";

type PlanInput = RouteInput<"POST /api/v1/tools/scheduler/plan">;

const MAX_NOTES = 5;
/** Names that are compared with all others. */
const MAX_COMPARED = 20;

/**
 * Returns a note for each resource that is probably mistyped, since its name changes nothing: it has hours, but no
 * task holds it, or tasks hold it, and only a similar name has a capacity or hours.
 */
export function ineffectiveNames({ tasks, capacity = {}, calendar }: PlanInput): string[] {
  const held = new Set(
    tasks.flatMap(({ resources = {}, anyOf = [] }) =>
      [resources, ...anyOf].flatMap((each) => Object.keys(each)),
    ),
  );
  const hours = Object.keys(calendar?.resources ?? {});
  const limited = new Set([...Object.keys(capacity), ...hours]);
  const unheld = hours
    .filter((name) => !held.has(name) && !Object.hasOwn(capacity, name))
    .slice(0, MAX_NOTES);
  const unlimited = [...held].filter((name) => !limited.has(name)).slice(0, MAX_COMPARED);
  return [
    ...unheld.map((name) => `No task holds "${name}", which has hours. ${didYouMean(name, held)}`.trim()),
    ...unlimited.flatMap((name) => {
      const meant = didYouMean(name, limited);
      return meant ? [`"${name}" is unlimited: it has neither a capacity nor hours. ${meant}`] : [];
    }),
  ].slice(0, MAX_NOTES);
}
