import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** Frameworks of Python whose responses are pages unless told otherwise. Django's REST framework sends data. */
const PAGES =
  /^(?:django|flask|quart|werkzeug|webob|pyramid|aiohttp|starlette|fastapi|sanic|bottle|cherrypy|tornado|web|falcon|responder|litestar|robyn)\b/;

/** Whether a call is imported under the name of a framework's response from something else: `from shop import Response`. */
export function isOtherResponse(fragment: Fragment, { name, path }: Call): boolean {
  if (fragment.language !== "python" || !/response$/i.test(name)) return false;
  const resolved = fragment.names.resolve(path);
  return resolved !== path && !PAGES.test(resolved);
}
