import { isPartOfName } from "../../flow/harmless/paths.ts";
import { makesHarmless } from "../../flow/sanitizers.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";

const ASKING = /^(?:endsWith|startsWith|equals|contains|matches|isEmpty|length)$/;

/** Whether only a harmless part of the path is used that a call returns: `Paths.get(name).getFileName()`, `Path(name).suffix`. */
export function isPartTaken(fragment: Fragment, { path, end }: Call): boolean {
  if (!MEMBER.has(fragment.text(end))) return false;
  const behind = fragment.text(end + 1);
  if (makesHarmless(behind, behind, "path")) return true;
  // `Paths.get(name).toString().endsWith(".zip")`
  if (behind === "toString" && ASKING.test(fragment.text(end + 5))) return true;
  return isPartOfName(fragment, `${path}().${behind}`);
}
