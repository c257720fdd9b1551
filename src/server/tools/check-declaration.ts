import { SCOPES } from "../../contract/caller.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { didYouMean } from "../../contract/near-names.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { readsBody } from "../../contract/problems-of.ts";
import { toolNameOf } from "../../mcp/tool-name.ts";
import { isStoreName } from "../../store/store.ts";
import { isObject } from "../../system/is-object.ts";
import { packageRoot } from "../../system/package.ts";
import { type AnyTool, makerOf } from "../../tools/define-tool.ts";

/*
 * What the types say of tools, for authors who write JavaScript: a scope that is misspelt would let every key in, and
 * a method that is missing would end the server when it describes itself.
 */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const METHODS_THAT_COMPUTE = ["POST", "PUT", "PATCH"];
/** Of what an agent calls: the least that the common clients take. */
const MAX_NAME_LENGTH = 64;
const STATUSES = [200, 201, 202, 204];
const PACES = ["short", "long"];

const TOOL_MEMBERS: Record<keyof AnyTool, true> = {
  name: true,
  contract: true,
  collections: true,
  counters: true,
  jobs: true,
  projections: true,
  create: true,
};
/** A misspelt member would be left out of account: a limit on the body of `maxBodyByte`, say. */
const ENDPOINT_MEMBERS: Record<keyof Endpoint, true> = {
  name: true,
  method: true,
  path: true,
  summary: true,
  description: true,
  scope: true,
  input: true,
  output: true,
  status: true,
  otherwise: true,
  bodyTypes: true,
  formats: true,
  etag: true,
  errors: true,
  rules: true,
  example: true,
  idempotent: true,
  answersSecret: true,
  safe: true,
  destructive: true,
  eventStream: true,
  lane: true,
  compute: true,
  maxBodyBytes: true,
};

type Form = readonly [words: string, isOf: (value: unknown) => boolean];
const YES_OR_NO: Form = ["true or false", (value) => typeof value === "boolean"];
const TEXTS: Form = ["a list of texts", (value) => Array.isArray(value) && value.every(isText)];
/** What documents, agents and answers are made of. One that is of another form would break those of every endpoint. */
const FORMS: Partial<Record<keyof Endpoint, Form>> = {
  description: ["a text", isText],
  rules: TEXTS,
  bodyTypes: TEXTS,
  errors: ["a list of codes", Array.isArray],
  formats: [
    'an object with a text for each media type, without parameters: { "text/csv": "`Accept: text/csv`" }',
    (value) =>
      areTexts(value) && Object.keys(value as object).every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type)),
  ],
  otherwise: [
    'an object with a text for each status, which may be 200, 201 or 204: { 201: "It is new" }',
    (value) => areTexts(value) && Object.keys(value as object).every((key) => /^20[014]$/.test(key)),
  ],
  etag: YES_OR_NO,
  answersSecret: YES_OR_NO,
  safe: YES_OR_NO,
  destructive: YES_OR_NO,
  eventStream: YES_OR_NO,
};

/** Throws an `Error` that names the fault and its fix if a tool is none, or lacks a part. */
export function checkTool(tool: AnyTool): void {
  if (!isObject(tool)) throw new Error(`tools: ${shown(tool)} is no tool: make one by defineTool({ … }).`);
  const { name, contract, collections = [], counters = [], jobs = {}, projections = {}, create } = tool;
  if (typeof name !== "string" || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${shown(name)} is no name for a tool: use kebab-case, as in /api/v1/tools/guest-book.`);
  }
  const owner = `the tool ${name}`;
  // A tool may be of a class with members of its own, so only what may stand for a missing one is refused.
  const absent = Object.keys(TOOL_MEMBERS).filter((member) => tool[member as keyof AnyTool] === undefined);
  for (const member of unknownOf(tool, TOOL_MEMBERS)) {
    const hint = didYouMean(member, absent);
    if (hint) throw new Error(`The tool ${name} has the member ${member}, which no tool has. ${hint}`);
  }
  const maker = makerOf(tool);
  if (maker !== undefined && maker !== packageRoot) {
    throw new Error(
      `The tool ${name} was made by the toolplane in ${maker}, and this server is of the one in ${packageRoot}, which would not recognise its problems and replies. Install one for both: a package of tools has toolplane among its peerDependencies.`,
    );
  }
  if (!isObject(contract)) throw new Error(`The contract of ${owner} must be an object of endpoints.`);
  if (typeof create !== "function") {
    throw new Error(`\`create\` of ${owner} must be a function that returns its handlers.`);
  }
  if (!Array.isArray(collections) || !collections.every((each) => isObject(each) && "changes" in each)) {
    throw new Error(`The collections of ${owner} must be a list of what collection("…") returns.`);
  }
  if (!Array.isArray(counters) || !counters.every(isStoreName)) {
    throw new Error(`The counters of ${owner} must be a list of names in snake_case, at most 40 characters.`);
  }
  for (const [key, url] of [...Object.entries(jobs), ...Object.entries(projections)]) {
    if (url === undefined || url instanceof URL) continue;
    throw new Error(
      `${key} of ${owner} must be the URL of a module: new URL("./${key}.js", import.meta.url).`,
    );
  }
  for (const [key, endpoint] of Object.entries(contract)) checkDeclaration(endpoint, key, owner);
}

function checkDeclaration(endpoint: Endpoint, key: string, owner: string): void {
  const what = `The endpoint ${key} of ${owner}`;
  if (!isObject(endpoint))
    throw new Error(`${what} must be declared by endpoint({ … }) or computedEndpoint({ … }).`);
  const { name, method, path, summary, scope, input, output, status, errors } = endpoint;
  const { compute, bodyTypes, maxBodyBytes, idempotent, lane } = endpoint;
  for (const member of unknownOf(endpoint, ENDPOINT_MEMBERS)) {
    const hint = didYouMean(member, Object.keys(ENDPOINT_MEMBERS));
    throw new Error(`${what} has the member ${member}, which no endpoint has. ${hint}`.trimEnd());
  }

  function requireOneOf(member: string, given: unknown, known: readonly unknown[]): void {
    if (known.includes(given)) return;
    const hint = typeof given === "string" ? ` ${didYouMean(given, known.map(String))}` : "";
    throw new Error(`${what} needs a ${member}: ${known.join(", ")}; ${shown(given)} is none.${hint}`);
  }

  for (const [member, given, example] of [
    ["name", name, "guest-book.sign"],
    ["path", path, "/api/v1/tools/guest-book/entries"],
    ["summary", summary, "Sign the guest book"],
  ]) {
    if (typeof given === "string" && given !== "") continue;
    throw new Error(`${what} needs a ${member}, such as "${example}".`);
  }
  if (!/^[\w.-]+$/.test(name)) {
    throw new Error(
      `${what} has the name ${shown(name)}: use letters, digits, dots and dashes, as guest-book.sign.`,
    );
  }
  if (toolNameOf(name).length > MAX_NAME_LENGTH) {
    throw new Error(
      `${what} has a name by which agents cannot call it, as their clients take ${MAX_NAME_LENGTH} characters: ${toolNameOf(name)}.`,
    );
  }
  if (!/^(\/([\w.~-]+|\{\w+\}))+$/.test(path)) {
    throw new Error(
      `${what} has the path ${path}: it must begin with a slash and not end with one; a segment has letters, digits, dots and dashes, or is a parameter in braces, as {entryId}.`,
    );
  }
  const segments = path.split("/");
  const odd = segments.find(
    (each, at) => /^\.+$/.test(each) || (/^\{/.test(each) && segments.indexOf(each) < at),
  );
  if (odd !== undefined) {
    const why = odd.startsWith("{") ? "is there twice" : "no client sends";
    throw new Error(`${what} has the path ${path}, whose segment ${odd} ${why}: name it otherwise.`);
  }
  for (const [member, [words, isOf]] of Object.entries(FORMS)) {
    const given = endpoint[member as keyof Endpoint];
    if (given === undefined || isOf(given)) continue;
    throw new Error(`\`${member}\` of ${lower(what)} must be ${words}; ${shown(given)} is none.`);
  }
  requireOneOf("method", method, METHODS);
  requireOneOf("scope", scope, [...SCOPES, "public"]);
  if (status !== undefined) requireOneOf("status", status, STATUSES);
  for (const error of errors ?? []) requireOneOf("known code in `errors`", error, Object.keys(PROBLEMS));
  if (idempotent) requireOneOf("known word in `idempotent`", idempotent, [true, "repeatable"]);
  if (lane !== undefined) requireOneOf("known lane", lane, ["control"]);
  if (compute !== undefined) {
    requireOneOf("known pace in `compute`", compute, PACES);
    requireOneOf("method with a body, as it computes", method, METHODS_THAT_COMPUTE);
    requireOneOf("scope, as what it computes counts for an account", scope, SCOPES);
  } else if (bodyTypes !== undefined) {
    throw new Error(`${what} has bodyTypes, which only a job can read: declare it by computedEndpoint().`);
  }
  if (maxBodyBytes !== undefined && !(Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0)) {
    throw new Error(`${what} has maxBodyBytes ${maxBodyBytes}: it must be a whole number of bytes.`);
  }
  if (maxBodyBytes !== undefined && !readsBody(endpoint)) {
    throw new Error(`${what} has maxBodyBytes, and a ${method} has no body.`);
  }
  // The objects of zod/mini lack the methods that inputs are read with.
  if (!isSchema(input) || input._zod.def.type !== "object" || !("strict" in input)) {
    throw new Error(`The input of ${lower(what)} must be a z.object({ … }) of zod 4.`);
  }
  if (!isSchema(output)) throw new Error(`The output of ${lower(what)} must be a schema of zod 4.`);
}

/** Returns the members that are none of the known ones. */
function unknownOf(value: object, known: object): string[] {
  return Object.keys(value).filter((member) => !Object.hasOwn(known, member));
}

function isSchema(value: unknown): value is { _zod: { def: { type: string } } } {
  return isObject(value) && "_zod" in value;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function areTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Text is quoted, so that one of spaces can be seen. */
function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
