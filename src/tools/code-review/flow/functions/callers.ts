import { isAside } from "../../severity.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import { indexBy } from "../../syntax/lookup/index-by.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
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
  const own = exportedNames(callee);
  if (!project || own.length === 0 || callee.scope.parameters.length === 0) return;
  const names = [...own, ...project.aliasesOf(path)];
  let calls = 0;
  for (const importer of project.importersOf(path, names)) {
    const fragment = isAside(importer) ? undefined : project.file(importer);
    if (!fragment) continue;
    const found = [...names, WHOLE].flatMap((name) => callsBy(fragment, name).get(keyOf(callee)) ?? []);
    for (const call of new Set(found.map(({ call }) => call))) {
      yield { fragment, call };
      if (++calls >= MAX_CALLS) return;
    }
  }
}

/** Stands for the name of a module that is a function itself. */
const WHOLE = "";

type Calls = ReadonlyMap<string, readonly { call: Call; key: string }[]>;
const callsByName = oncePerFragment((_: Fragment) => new Map<string, Calls>());

/** Returns the calls by a name of what another file exports, by the function that they refer to. */
function callsBy(fragment: Fragment, name: string): Calls {
  const known = callsByName(fragment).get(name);
  if (known) return known;
  const locals = new Set([name, ...(localNames(fragment).get(name) ?? []).map(({ local }) => local)]);
  const found = [...locals]
    .flatMap((local) => fragment.callsNamed(local))
    .flatMap((call) => {
      const callee = call.args.length > 0 ? calleeOf(fragment, `${call.path}()`, call.start) : undefined;
      return callee && callee.fragment !== fragment ? [{ call, key: keyOf(callee) }] : [];
    });
  const calls = indexBy(found, ({ key }) => key);
  callsByName(fragment).set(name, calls);
  return calls;
}

/** Tells a function of a review from others, also if its file was read anew in between. */
function keyOf({ fragment: { path }, scope: { start } }: Callee): string {
  return `${start} ${path}`;
}

/** The names that imports of a file give to what others export, by the name that this has there. */
const localNames = oncePerFragment(({ path, project, names: { imports } }: Fragment) => {
  const names = Array.from(imports, ([local, origin]) => {
    const isWhole = project?.importedAs(path, origin)?.rest === "";
    return { local, name: isWhole ? WHOLE : origin.slice(origin.lastIndexOf(".") + 1) };
  });
  return indexBy(names, ({ name }) => name);
});
