import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Endpoint, namesInPath } from "../../contract/endpoint.ts";
import { toolNameOf } from "../../mcp/tool-name.ts";
import { builtModule, loadsTypeScript } from "../../system/processes/built-module.ts";
import type { AnyTool } from "../../tools/define-tool.ts";
import { checkTool } from "./check-declaration.ts";
import { checkMemberTypes } from "./member-types.ts";

/**
 * Checks what the compiler cannot know of tools, or does not check for authors who write JavaScript. Throws an `Error`
 * that names the fault and its fix, before anything is opened.
 *
 * @param others the endpoints, collections and counters of the server itself.
 */
export function checkTools(
  tools: readonly AnyTool[],
  others: {
    endpoints: readonly Endpoint[];
    collections: readonly { name: string }[];
    counters: readonly string[];
  },
): void {
  const names = new Set<string>();
  const endpoints = new Taken("endpoint", "name");
  const routes = new Taken("route", "method and path");
  const collections = new Taken("collection", "name");
  const counters = new Taken("counter", "name");
  const projections = new Taken("projection", "name");
  const segments = new Map<string, string>();
  for (const endpoint of others.endpoints) {
    endpoints.take(publicName(endpoint), "the server");
    routes.take(routeOf(endpoint), "the server");
  }
  for (const { name } of others.collections) collections.take(name, "the server");
  for (const name of others.counters) counters.take(name, "the server");
  for (const tool of tools) {
    if (!sound.has(tool)) checkAlone(tool);
    sound.add(tool);
    const owner = `the tool ${tool.name}`;
    if (names.has(tool.name))
      throw new Error(`Two tools have the name ${tool.name}: choose another for one.`);
    names.add(tool.name);
    for (const endpoint of Object.values(tool.contract)) {
      endpoints.take(publicName(endpoint), owner, endpoint.name);
      routes.take(routeOf(endpoint), owner);
      takeSegment(segments, endpoint, tool.name);
    }
    for (const { name } of tool.collections ?? []) collections.take(name, owner);
    for (const name of tool.counters ?? []) counters.take(name, owner);
    for (const kind of Object.keys(tool.projections ?? {})) projections.take(kind, owner);
  }
}

/** Tools that `checkAlone` has passed. A process that starts many servers, as tests do, checks each tool once. */
const sound = new WeakSet<AnyTool>();

/** Checks of a tool what does not depend on others. */
function checkAlone(tool: AnyTool): void {
  checkTool(tool);
  const owner = `the tool ${tool.name}`;
  for (const endpoint of Object.values(tool.contract)) {
    checkEndpoint(endpoint, owner);
    checkMemberTypes(endpoint, owner);
  }
  for (const [kind, url] of Object.entries(tool.projections ?? {})) {
    checkModule(url, `The projection ${kind} of ${owner}`);
  }
  checkJobs(tool, owner);
}

/** Throws if there are no handlers, or an endpoint has none. */
export function checkHandlers({ name, contract }: AnyTool, handlers: object): void {
  if (typeof handlers !== "object" || handlers === null) {
    throw new Error(`\`create\` of the tool ${name} must return an object of its handlers.`);
  }
  if ("then" in handlers) {
    throw new Error(`\`create\` of the tool ${name} is async: it must return its handlers, which may await.`);
  }
  for (const key of Object.keys(contract)) {
    if (typeof (handlers as Record<string, unknown>)[key] === "function") continue;
    throw new Error(`The tool ${name} has no handler for its endpoint ${key}: \`create\` must return one.`);
  }
}

const TOOLS = "/api/v1/tools/";

/** Throws if another tool has paths below the same segment: a path says whose it is, also to what that tool adds later. */
function takeSegment(holders: Map<string, string>, { name, path }: Endpoint, tool: string): void {
  const segment = path.slice(TOOLS.length).split("/", 1)[0] as string;
  const holder = holders.get(segment) ?? tool;
  holders.set(segment, holder);
  if (holder === tool) return;
  throw new Error(
    `The endpoint ${name} of the tool ${tool} has the path ${path}, and ${TOOLS}${segment} belongs to the tool ${holder}: choose another, such as ${TOOLS}${tool}.`,
  );
}

function checkEndpoint({ name, method, path, idempotent, input }: Endpoint, owner: string): void {
  if (!path.startsWith(TOOLS)) {
    throw new Error(`The endpoint ${name} of ${owner} must have a path below ${TOOLS}, not ${path}.`);
  }
  if (idempotent && method === "GET") {
    throw new Error(`The endpoint ${name} of ${owner} is a GET, which honours no Idempotency-Key.`);
  }
  for (const parameter of namesInPath(path)) {
    if (Object.hasOwn(input.shape, parameter)) continue;
    throw new Error(`The input of the endpoint ${name} of ${owner} lacks the path parameter ${parameter}.`);
  }
}

function checkJobs({ contract, jobs = {} }: AnyTool, owner: string): void {
  for (const [key, endpoint] of Object.entries(contract)) {
    const url = Object.hasOwn(jobs, key) ? jobs[key] : undefined;
    if (endpoint.compute && !url) {
      throw new Error(
        `The endpoint ${key} of ${owner} computes and has no job: jobs: { ${key}: new URL("./${key}-job.js", import.meta.url) }.`,
      );
    }
    if (!url) continue;
    if (!endpoint.compute) {
      throw new Error(
        `The endpoint ${key} of ${owner} has a job and would run it nowhere: declare it by computedEndpoint().`,
      );
    }
    checkModule(url, `The job ${key} of ${owner}`);
  }
  for (const key of Object.keys(jobs)) {
    if (!Object.hasOwn(contract, key))
      throw new Error(`The job ${key} of ${owner} belongs to none of its endpoints.`);
  }
}

function checkModule(url: URL, what: string): void {
  const module = builtModule(url);
  if (!module.startsWith("file:")) return;
  const file = fileURLToPath(module);
  if (!existsSync(file)) throw new Error(`${what} should be at ${file}, where there is no file.`);
  if (loadsTypeScript() || !/\.[mc]?tsx?$/.test(file)) return;
  throw new Error(
    `${what} is TypeScript, which Node ${process.versions.node} does not run in a process of its own: ` +
      `name what ${file} compiles to, or use Node 22.18 or later.`,
  );
}

function routeOf({ method, path }: Endpoint): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
}

/** Returns the name by which agents call an endpoint and documents describe it: of `a.b-c` and `a-b.c`, the same. */
function publicName({ name }: Endpoint): string {
  return toolNameOf(name).replaceAll(/_+/g, "_");
}

/** Names that must be unique. */
class Taken {
  readonly #kind: string;
  readonly #what: string;
  readonly #owners = new Map<string, string>();

  constructor(kind: string, what: string) {
    this.#kind = kind;
    this.#what = what;
  }

  /** @param shown what the author has written, if that is not the name itself. */
  take(name: string, owner: string, shown = name): void {
    const holder = this.#owners.get(name);
    if (holder !== undefined) {
      const alike = shown === name ? "" : ` (${name})`;
      throw new Error(
        `The ${this.#kind} ${shown} of ${owner} has the ${this.#what}${alike} of one of ${holder}: choose another.`,
      );
    }
    this.#owners.set(name, owner);
  }
}
