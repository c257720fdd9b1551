import { posix } from "node:path";
import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { statementEnd } from "../definitions.ts";
import type { Layout } from "../layout.ts";
import { type Block, goesOn } from "./blocks.ts";
import { CONSTANT_PATH } from "./constant.ts";
import { pluralsOf, underscored } from "./inflections.ts";

const FILE = /(?:^|\/)config\/routes(?:\.rb$|\/)/;
const CALL = inAnyScript(/^[ \t]*(\w+)(?:[ \t]*\([ \t]*|[ \t]+)(?=[:"\w])/gm);
/** Whose routes these are: `Shop::Engine.routes.draw do`. */
const DRAWN = inAnyScript(new RegExp(`(${CONSTANT_PATH})\\.(?:routes\\.\\w+|add_routes)\\b`, "gu"));
/** A symbol or string at the beginning of a list of them; not the key of an option. */
const NAME = inAnyScript(/(?::(\w+)|(" *"))(?![ \t]*=>)[ \t]*(?:,\s*)?/y);
const STRING = /" *"/g;
const ACTION = inAnyScript(/^(\/?)([\w/]+)#\w*[?!]?$/);
const VERB = /^(?:get|post|put|patch|delete|match)$/;
/** A path that says which action of which controller it is for. */
const PATH_OF_ACTION = inAnyScript(/^\/?(\w+(?:\/\w+)*)\/\w+$/);
const LEADS_ELSEWHERE = /\bto:|=>|\bredirect\b/;
const CONTROLLERS = /\bcontrollers\b/;
/** Longer arguments are not read to their end. */
const MAX_ARGUMENTS = 1000;
const MODULE = optionNamed("module");
const CONTROLLER = optionNamed("controller");

/** What surrounds a route. */
interface Scope {
  end: number;
  /** The modules of its controllers, as a path: `admin/`. */
  modules: string;
  /** Whether it says which controller its routes are for. */
  hasController: boolean;
}

/** The arguments of a call, as they are in the text and without what strings say. */
interface Arguments {
  text: string;
  code: string;
}

/**
 * Returns the controllers that the routes of a Rails application name, as `controller users` with the paths below
 * `controllers` that may hold it, the likeliest first; and the files of routes that they draw.
 */
export function routesIn(text: string, layout: Layout, blocks: readonly Block[], path: string): Import[] {
  if (!FILE.test(path)) return [];
  const { code } = layout;
  const found: Import[] = [];
  const open: Scope[] = [];
  let nextBlock = 0;
  const engines = enginesIn(code);
  const add = (modules: string, names: readonly string[]) => {
    const places = names.map((name) => (name.startsWith("/") ? name.slice(1) : modules + name));
    found.push({
      module: `controller ${places[0]}`,
      names: places.flatMap((place) => [...engines.map((engine) => engine + place), place]),
    });
  };

  for (const { index, 0: whole, 1: word = "" } of code.matchAll(CALL)) {
    const from = index + whole.length;
    while ((blocks[nextBlock]?.start ?? code.length) < from) nextBlock++;
    const block = blocks[nextBlock];
    const most = Math.min(from + MAX_ARGUMENTS, block?.start ?? code.length);
    const head = { ...layout, code: code.slice(0, most) };
    const to = Math.min(
      statementEnd(head, from, (newline) => goesOn(code, newline)),
      most,
    );
    const given = { text: text.slice(from, to), code: code.slice(from, to) };
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= index) open.pop();
    const { modules = "", hasController = false } = open.at(-1) ?? {};
    const names = namesIn(given);
    const own = optionIn(given, MODULE) ?? (word === "namespace" ? names[0] : undefined);
    const within = own === undefined ? modules : `${modules}${own}/`;
    const controller = optionIn(given, CONTROLLER) ?? (word === "controller" ? names[0] : undefined);
    const isResource = /^resources?$/.test(word);

    if (controller !== undefined) add(within, [controller]);
    else if (isResource)
      for (const name of names) add(within, word === "resource" ? [...pluralsOf(name), name] : [name]);
    else if (VERB.test(word) && !hasController && !LEADS_ELSEWHERE.test(given.code))
      for (const name of names) {
        const named = PATH_OF_ACTION.exec(name)?.[1];
        if (named !== undefined) add(within, [named]);
      }
    else if (word === "draw" && names[0] !== undefined)
      found.push({ module: `./${posix.basename(path) === "routes.rb" ? "routes/" : ""}${names[0]}` });
    for (const each of stringsIn(given)) {
      const [, isTop = "", named] = ACTION.exec(each) ?? [];
      if (named !== undefined) add(within, [isTop + named]);
      else if (CONTROLLERS.test(given.code) && /^[a-z_]+(?:\/[a-z_]+)*$/.test(each))
        add(within, [each, `/${each}`]);
    }
    if (block && to === block.start)
      open.push({
        end: block.end,
        modules: within,
        hasController: hasController || controller !== undefined || isResource,
      });
  }
  return found;
}

/** Returns the modules that may hold the controllers of the engine whose routes these are, the innermost first. */
function enginesIn(code: string): string[] {
  const names = [...code.matchAll(DRAWN)].map(([, name = ""]) => underscored(name));
  return [...new Set(names)].flatMap((name) => {
    const parts = name.split("/");
    return parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/")}/`);
  });
}

function optionNamed(name: string): RegExp {
  return inAnyScript(new RegExp(`(?:(?<![\\w:])${name}:|:${name}[ \\t]*=>)[ \\t]*(?::(\\w+)|(" *"))`));
}

function optionIn({ text, code }: Arguments, option: RegExp): string | undefined {
  const match = option.exec(code);
  if (!match) return undefined;
  const [whole, symbol, quoted = ""] = match;
  const end = match.index + whole.length;
  return symbol ?? text.slice(end - quoted.length + 1, end - 1);
}

/** Returns the names that a list of arguments begins with: `:users, "posts"`, or `%i[users posts]`. */
function namesIn({ text, code }: Arguments): string[] {
  const names: string[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(code); match; match = NAME.exec(code)) {
    const [, symbol, quoted = ""] = match;
    const written = text.slice(match.index, match.index + quoted.length);
    if (symbol !== undefined) names.push(symbol);
    else if (written.startsWith("%")) names.push(...written.slice(3, -1).trim().split(/\s+/));
    else names.push(written.slice(1, -1));
  }
  return names;
}

function stringsIn({ text, code }: Arguments): string[] {
  return [...code.matchAll(STRING)].map(({ index, 0: quoted }) =>
    text.slice(index + 1, index + quoted.length - 1),
  );
}
