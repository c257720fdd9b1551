import { isAside } from "../../severity.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions.ts";
import type { CallElsewhere } from "../value.ts";
import { type Callee, calleeOf, exportedNames } from "./callee.ts";
import { MAX_CALLS } from "./file-functions.ts";

const known = new WeakMap<FunctionScope, readonly CallElsewhere[]>();

/** Returns the calls of a function in the files that import it, those on added lines first. Tests do not count. */
export function callersElsewhere(callee: Callee): readonly CallElsewhere[] {
  const before = known.get(callee.scope);
  if (before) return before;
  const found = [...callersOf(callee)].sort((a, b) => Number(isAdded(b)) - Number(isAdded(a)));
  known.set(callee.scope, found);
  return found;
}

function* callersOf(callee: Callee): Iterable<CallElsewhere> {
  const { project, path } = callee.fragment;
  const names = exportedNames(callee);
  if (!project || names.length === 0 || callee.scope.parameters.length === 0) return;
  let calls = 0;
  for (const importer of project.importersOf(path, names)) {
    const fragment = isAside(importer) ? undefined : project.file(importer);
    if (!fragment) continue;
    for (const call of [...namesIn(fragment, names)].flatMap((each) => fragment.callsNamed(each))) {
      if (call.args.length === 0) continue;
      if (calleeOf(fragment, `${call.path}()`, call.start)?.scope !== callee.scope) continue;
      yield { fragment, call };
      if (++calls >= MAX_CALLS) return;
    }
  }
}

/** The names by which a file may call a function of another: those given, and those that imports give to it or to its module. */
function namesIn({ path, project, names }: Fragment, exported: readonly string[]): Set<string> {
  const renamed = [...names.imports].filter(
    ([, origin]) =>
      exported.some((name) => origin.endsWith(`.${name}`)) || project?.importedAs(path, origin)?.rest === "",
  );
  return new Set([...exported, ...renamed.map(([local]) => local)]);
}

function isAdded({ fragment, call }: CallElsewhere): boolean {
  return fragment.isAdded(fragment.lineOf(call.start));
}
