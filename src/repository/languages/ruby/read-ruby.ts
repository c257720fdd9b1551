import { addTo } from "../../add-to.ts";
import type { Facts } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { named } from "../definitions.ts";
import { layoutOf } from "../layout.ts";
import { associationsIn } from "./associations.ts";
import { blankRuby } from "./blank-ruby.ts";
import { blocksOf, nameWithin, type Opened } from "./blocks.ts";
import { CONSTANT, CONSTANT_PATH } from "./constant.ts";
import { isNamedAfter } from "./named-after.ts";
import { requiredIn } from "./required.ts";
import { routesIn } from "./routes.ts";

const USE = inAnyScript(new RegExp(String.raw`(?<![\w.@$:)\]}])${CONSTANT_PATH}(?![\w?!]|:(?!:))`, "gu"));
const ASSIGNED = /^[ \t]*(?:\|\|)?=(?![=~>])/;
const ASSIGNMENTS = inAnyScript(new RegExp(String.raw`^[ \t]*${CONSTANT}[ \t]*=(?![=~>])[^\n]*$`, "gmu"));
const INCLUDED = inAnyScript(
  new RegExp(
    String.raw`(?<![\w.@$:])(?:include|prepend)[ \t(]+(${CONSTANT_PATH}(?:[ \t]*,\s*${CONSTANT_PATH})*)`,
    "gu",
  ),
);
const HEADER = inAnyScript(/(?<![\w.@$:])(?:class|module)[ \t]+$/);

/**
 * Reads a Ruby file. What its constants mean depends on other files, so they are given by the modules around them, as these
 * are written, from the outermost: `Shop:Cart`. A full name begins with a dot.
 */
export function readRuby(text: string, path: string): Facts {
  const code = blankRuby(text);
  const layout = layoutOf(code);
  const { found, opened, given } = blocksOf(layout);
  const declares = new Set(definedBy(opened, code, path));
  const scopes = new Map<string, Set<string>>();
  const use = (nesting: string, name: string) =>
    scopes.set(nesting, (scopes.get(nesting) ?? new Set()).add(name));
  const scopeAt = scopesOf(opened);
  for (const { index, 0: written } of code.matchAll(USE)) {
    if (HEADER.test(code.slice(Math.max(0, index - 12), index))) continue;
    const scope = scopeAt(index);
    const end = index + written.length;
    if (ASSIGNED.test(code.slice(end, end + 12))) {
      declares.add(nameWithin(scope, written));
      continue;
    }
    use(scope?.nesting ?? "", dotted(written));
  }
  const modelAt = scopesOf(opened);
  for (const { position, names } of associationsIn(text, code)) {
    // Rails looks in all that holds a model, also in what `class Shop::Cart` does not open.
    const nesting = modelAt(position)?.nesting.replaceAll(".", ":") ?? "";
    for (const name of names) use(nesting, name);
  }
  return {
    imports: [...requiredIn(text, code), ...routesIn(text, layout, given, path)],
    definitions: named(found, ["class", "module"]),
    declares: [...declares],
    scopes: [...scopes].map(([nesting, uses]) => [nesting, [...uses]] as const),
    ancestors: ancestorsIn(opened, code),
  };
}

/** Returns what classes and modules inherit from and include, by their nesting. */
function ancestorsIn(opened: readonly Opened[], code: string): [nesting: string, names: string[]][] {
  const names = new Map<string, string[]>();
  for (const each of opened) if (each.parent) addTo(names, each.nesting, dotted(each.parent));
  const scopeAt = scopesOf(opened);
  for (const { index, 1: list = "" } of code.matchAll(INCLUDED)) {
    const nesting = scopeAt(index)?.nesting ?? "";
    for (const name of list.split(/,\s*/)) addTo(names, nesting, dotted(name.trim()));
  }
  return [...names];
}

function dotted(name: string): string {
  return name.replaceAll("::", ".");
}

/**
 * Returns the classes and modules that the file says something about. One that only surrounds others, or that holds a
 * version number, is defined elsewhere, unless the file has its name.
 */
function definedBy(opened: readonly Opened[], code: string, path: string): string[] {
  /** What stands directly in each, not in those within it, and how far that has been taken. */
  const bodies = new Map(opened.map((each) => [each, { parts: [] as string[], from: each.body }]));
  for (const { around, start, end } of opened) {
    const outer = around && bodies.get(around);
    if (!outer) continue;
    outer.parts.push(code.slice(outer.from, start));
    outer.from = end;
  }
  return opened.flatMap((each) => {
    const { parts = [], from = each.end } = bodies.get(each) ?? {};
    const body = parts.join("") + code.slice(from, each.end).replace(/\bend$/, "");
    const isFilled = body.replace(ASSIGNMENTS, "").trim() !== "";
    const isEmpty = parts.length === 0 && body.trim() === "";
    const isOwn = isFilled || isEmpty || each.parent !== undefined || isNamedAfter(path, each.nesting);
    return isOwn ? each.nesting : [];
  });
}

/** Returns a function that finds the innermost class or module at positions that are asked for in ascending order. */
function scopesOf(opened: readonly Opened[]): (position: number) => Opened | undefined {
  let next = 0;
  let innermost: Opened | undefined;
  return (position) => {
    for (;;) {
      while (innermost && innermost.end <= position) innermost = innermost.around;
      const following = opened[next];
      if (!following || following.body > position) return innermost;
      innermost = following;
      next++;
    }
  };
}
