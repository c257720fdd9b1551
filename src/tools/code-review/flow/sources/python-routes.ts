import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import { EVERY_LANGUAGE } from "../../taint/files.ts";

const ROUTES = new Set(EVERY_LANGUAGE.routes);

/** Whether FastAPI fills a parameter with what a function gives: `user: User = Depends(current_user)`. */
export function isDependency(fragment: Fragment, { declared: { from, to } }: Parameter): boolean {
  const texts = fragment.texts({ from, to });
  return texts.some(
    (text, index) => /^(?:Depends|Security)$/.test(text) && /^[A-Za-z_]/.test(texts[index + 2] ?? ""),
  );
}

/** Whether a decorator is called, as a route is, or is alone on its line: `@cherrypy.expose`. */
function isDecorating(fragment: Fragment, at: number): boolean {
  if (fragment.text(at + 1) === "(") return true;
  return fragment.text(at) === "expose" && fragment.lineOf(at + 1) !== fragment.lineOf(at);
}

/** Whether a function has a route above it: `@app.route("/<name>")` on a line above `def`. */
export function isRouted(fragment: Fragment, { start }: FunctionScope): boolean {
  return decoratorsAbove(fragment, start).some((at) => {
    if (!fragment.isWord(at) || !ROUTES.has(fragment.text(at)) || !isDecorating(fragment, at)) return false;
    return fragment.texts({ from: Math.max(0, at - 5), to: at }).includes("@");
  });
}

const CONVERTED =
  /<(?:(?:int|float|uuid)(?:\([^()]{0,40}\))?:(\w{1,80})|(\w{1,80}):(?:int|float|uuid|number))>/g;
/** Maximum characters of a route's address that are read. */
const MAX_ADDRESS = 400;

/** Whether the route makes a number or a UUID of a parameter: `@app.route("/<int:page>")`. */
export function isConvertedByRoute(
  fragment: Fragment,
  { start }: FunctionScope,
  { name }: Parameter,
): boolean {
  return decoratorsAbove(fragment, start).some((at) => {
    if (!fragment.isString(at)) return false;
    const converted = [...fragment.text(at).slice(0, MAX_ADDRESS).matchAll(CONVERTED)];
    return converted.some(([, first, second]) => name === (first ?? second));
  });
}

/** Maximum lines, and tokens on them, above a function that are searched for its decorators. */
const [MAX_LINES, MAX_ABOVE] = [3, 400];

/** Returns the tokens on the lines above a function of Python, the nearest first, up to the definition before it. */
function decoratorsAbove(fragment: Fragment, start: number): number[] {
  const found: number[] = [];
  const line = fragment.lineOf(start);
  for (let at = start - 1; at >= Math.max(0, start - MAX_ABOVE); at--) {
    if (fragment.lineOf(at) < line - MAX_LINES || /^(?:def|class)$/.test(fragment.text(at))) break;
    found.push(at);
  }
  return found;
}
