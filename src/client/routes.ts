import type * as z from "zod";
import type { Api } from "../api.ts";
import type { Method } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";

interface AnyEndpoint {
  method: Method;
  path: string;
  input: z.ZodObject;
  output: z.ZodType;
}

/** Every endpoint of the API, at any depth. */
type EndpointsOf<T> = T extends AnyEndpoint ? T : T extends object ? EndpointsOf<T[keyof T]> : never;
type ByRoute<E extends AnyEndpoint> = { [Each in E as `${Each["method"]} ${Each["path"]}`]: Each };
type Routes = ByRoute<EndpointsOf<Api>>;

/** A method and path, such as `POST /api/v1/track`. */
export type Route = keyof Routes & string;
/** What a caller gives: before the schema's defaults. */
export type RouteInput<R extends Route> = z.input<Routes[R]["input"]>;
export type RouteOutput<R extends Route> = z.output<Routes[R]["output"]>;

export interface Target {
  method: Method;
  /** Path and query. */
  path: string;
  body?: unknown;
}

/**
 * Distributes a flat input over path, query (GET and DELETE) or body, the inverse of what the server does. Members that
 * are undefined are left out.
 */
export function targetOf(route: string, input: Readonly<Record<string, unknown>>): Target {
  const [method, template] = route.split(" ") as [Method, string];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === "") throw new Problem("invalid_request", `${name} is needed.`);
    rest.delete(name);
    return segment(String(value));
  });
  if (method !== "GET" && method !== "DELETE") return { method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return { method, path: query.size > 0 ? `${path}?${query}` : path };
}

/** Encodes a path segment. Throws for `.` and `..`, which URL parsers resolve even when escaped. */
function segment(value: string): string {
  if (value === "." || value === "..") {
    throw new Problem("invalid_request", `"${value}" cannot stand in a path.`);
  }
  return encodeURIComponent(value);
}
