import { isAside } from "../../severity.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import { type Callee, calleeOf, exportedNames } from "./callee.ts";
import { MAX_CALLS } from "./file-functions.ts";

/** A call, and the file that it is in. */
export interface Caller {
  fragment: Fragment;
  call: Call;
}

/** Where a call is. Files are read anew where there is no room to keep them. */
interface Found {
  path: string;
  name: string;
  start: number;
  added: boolean;
}

const known = new WeakMap<FunctionScope, readonly Found[]>();

/** Yields the calls of a function in the files that import it, those on added lines first. Tests do not count. */
export function* callersElsewhere(callee: Callee): Iterable<Caller> {
  const { project } = callee.fragment;
  for (const { path, name, start } of foundOf(callee)) {
    const fragment = project?.file(path);
    const call = fragment?.callsNamed(name).find((each) => each.start === start);
    if (fragment && call) yield { fragment, call };
  }
}

function foundOf(callee: Callee): readonly Found[] {
  const before = known.get(callee.scope);
  if (before) return before;
  const found = Array.from(callersOf(callee), ({ fragment, call: { name, start } }) => {
    const added = fragment.isAdded(fragment.lineOf(start));
    return { path: fragment.path, name, start, added };
  }).sort((a, b) => Number(b.added) - Number(a.added));
  known.set(callee.scope, found);
  return found;
}

function* callersOf(callee: Callee): Iterable<Caller> {
  const { project, path } = callee.fragment;
  const names = exportedNames(callee);
  if (!project || names.length === 0 || callee.scope.parameters.length === 0) return;
  let calls = 0;
  for (const importer of project.importersOf(path, names)) {
    const fragment = isAside(importer) ? undefined : project.file(importer);
    if (!fragment) continue;
    for (const call of [...namesIn(fragment, names)].flatMap((each) => fragment.callsNamed(each))) {
      if (call.args.length === 0) continue;
      if (!isSame(calleeOf(fragment, `${call.path}()`, call.start), callee)) continue;
      yield { fragment, call };
      if (++calls >= MAX_CALLS) return;
    }
  }
}

/** Whether two are the same function, also if its file was read anew in between. */
function isSame(found: Callee | undefined, { fragment, scope }: Callee): boolean {
  return found?.fragment.path === fragment.path && found.scope.start === scope.start;
}

/** The names by which a file may call a function of another: those given, and those that imports give to it or to its module. */
function namesIn({ path, project, names }: Fragment, exported: readonly string[]): Set<string> {
  const renamed = [...names.imports].filter(
    ([, origin]) =>
      exported.some((name) => origin.endsWith(`.${name}`)) || project?.importedAs(path, origin)?.rest === "",
  );
  return new Set([...exported, ...renamed.map(([local]) => local)]);
}
