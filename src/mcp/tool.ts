import * as z from "zod";
import { allows, type Scope } from "../contract/caller.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { once } from "../system/caching.ts";
import { inputSchema, type ObjectSchema, outputSchema } from "./json-schema.ts";
import { toolNameOf } from "./tool-name.ts";

/** A tool as listed by `tools/list`. */
export interface Definition {
  name: string;
  /** The display name. */
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** In characters. The description costs tokens in each session; `/docs` has all of it. */
const MAX_DESCRIPTION_LENGTH = 320;

/** A tool that an agent can call. */
export interface Tool {
  name: string;
  /** The part of the product it belongs to, such as `knowledge_graph`. */
  area: string;
  /** The endpoint that it calls; absent if the session handles the call itself. */
  endpoint?: Endpoint;
  /** Schema of its arguments. */
  readonly input: z.ZodObject;
  readonly definition: Definition;
}

/**
 * Makes a tool of an endpoint. Its schemas are made when they are first needed: those of all tools take longer than the
 * rest of a session's start.
 */
export function toolOf(endpoint: Endpoint): Tool {
  const name = toolNameOf(endpoint.name);
  const input = once(() => withoutOtherForms(endpoint).strict());
  const definition = once(() => ({
    name,
    title: endpoint.summary,
    description: descriptionOf(endpoint, input()),
    inputSchema: inputSchema(input()),
    ...(maySayNothing(endpoint) ? {} : { outputSchema: outputSchema(endpoint.output) }),
    annotations: annotationsOf(endpoint),
  }));
  return {
    name,
    area: toolNameOf(endpoint.name.split(".")[0] as string),
    endpoint,
    get input() {
      return input();
    },
    get definition() {
      return definition();
    },
  };
}

/** Whether a credential with these scopes may call a tool. */
export function mayCall(tool: Tool, scopes: readonly Scope[]): boolean {
  const needed = tool.endpoint?.scope ?? "public";
  return needed === "public" || allows(scopes, needed);
}

/**
 * Removes a `format` argument that may ask for another media type, because a tool always answers in JSON. One that has
 * to be given stays, and one of a refined input: zod omits nothing from it, since a refinement may need every member.
 */
function withoutOtherForms({ input, formats }: Endpoint): z.ZodObject {
  const { format } = input.shape;
  if (format === undefined || formats === undefined || (input.def.checks ?? []).length > 0) return input;
  if (!z.safeParse(format, undefined).success) return input;
  const { properties } = inputSchema(z.object({ format }));
  const forms = properties?.format?.enum;
  return Array.isArray(forms) && forms.includes("json") ? input.omit({ format: true }) : input;
}

/** Whether a success may be a 204. Clients refuse a result that lacks what an output schema describes. */
function maySayNothing({ status, otherwise = {} }: Endpoint): boolean {
  return status === 204 || otherwise[204] !== undefined;
}

/** Returns the summary and as many whole sentences of the description as fit. */
function descriptionOf({ summary, description = "" }: Endpoint, input: z.ZodObject): string {
  const sentences = description.replace(/\s+/g, " ").split(/(?<=[.!?]) (?=[A-Z`])/);
  let text = `${summary}.`;
  for (const sentence of sentences) {
    if (ofHttpAlone(sentence) || (sentence.includes("`format`") && !("format" in input.shape))) continue;
    if (text.length + sentence.length > MAX_DESCRIPTION_LENGTH) break;
    text += ` ${sentence}`;
  }
  return text;
}

/** Whether a sentence is about HTTP only, such as "201 where it is new." */
function ofHttpAlone(sentence: string): boolean {
  return sentence === "" || /^20\d where /.test(sentence);
}

/** Returns the hints. Tools only read and change what this server stores, so the world is never open. */
function annotationsOf({ method, safe, destructive, idempotent }: Endpoint): Definition["annotations"] {
  const reads = method === "GET" || safe === true;
  const replaces = method === "PUT" || method === "DELETE";
  return {
    readOnlyHint: reads,
    destructiveHint: replaces || destructive === true,
    idempotentHint: reads || replaces || idempotent === "repeatable",
    openWorldHint: false,
  };
}
