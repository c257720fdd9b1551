import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import { keysBefore, type Parameter } from "../../syntax/functions/parameters.ts";
import { isHandler } from "../receivers.ts";
import type { Target } from "../target.ts";

/** Files whose functions answer requests, by their places: of Next.js and of SvelteKit. */
const FILE = /(?:^|\/)(?:(?:page|layout|route)\.[jt]sx?|\+(?:page|layout|server)(?:\.server)?\.[jt]s)$/;
/** Functions that do so by their names: of these, Remix, and Next.js before. */
const NAMES = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|loader|action|load|getServerSideProps)$/;
const SENT = /^(?:params|searchParams|query)$/;
/** `defineEventHandler((event) => …)` of Nitro and Nuxt: whatever is read of the event was sent. */
const EVENT_HANDLER = /^(?:define\w{0,20})?[eE]ventHandler$/;

/** Whether a parameter of JavaScript is filled from a request by a framework that finds the handler by its file or its name. */
export function isOfFileRoute(
  fragment: Fragment,
  scope: FunctionScope,
  { name, declared }: Parameter,
  target?: Target,
): boolean {
  if (scope.parameters[0]?.declared === declared && fragment.text(declared.from) !== "{")
    return EVENT_HANDLER.test(fragment.callAround(scope.start)?.name ?? "");
  // The whole address is one of the site's own, whatever was asked for on it.
  const isSent = SENT.test(name) || (name === "url" && target !== "address");
  if (!isSent || fragment.text(declared.from) !== "{") return false;
  return FILE.test(fragment.path) || NAMES.test(scope.name ?? "");
}

const RESPONSE = /^_?(?:res|resp|response|reply)$/;

/** Returns the path of what the head of a handler takes out of the request, `req.query.id` of `({ query: { id } }, res)`, if it does. */
export function pathInHead(
  fragment: Fragment,
  scope: FunctionScope,
  parameter: Parameter,
): string | undefined {
  const { declared, at } = parameter;
  if (fragment.language !== "javascript" || fragment.text(declared.from) !== "{") return undefined;
  const isTyped = /Request$/.test(fragment.text(declared.to - 1));
  const isFirst = scope.parameters[0]?.declared === declared;
  const isBesideResponse = isFirst && scope.parameters.some(({ name }) => RESPONSE.test(name));
  if (!isTyped && !isBesideResponse && !(isFirst && isHandler(fragment, scope))) return undefined;
  return `req.${keysBefore(fragment, declared, at)?.join(".")}`;
}
