import type { z } from "zod";
import { allows, type Scope } from "../contract/caller.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { inputSchema, type ObjectSchema, outputSchema } from "./json-schema.ts";
import { toolNameOf } from "./tool-name.ts";

/** As `tools/list` gives it. */
export interface Definition {
  name: string;
  /** For people. */
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

/** In characters: an agent pays for it in each session. `/docs` has all of it. */
const MAX_DESCRIPTION_LENGTH = 320;

/** What an agent can call. */
export interface Tool {
  name: string;
  /** The part of the product that it belongs to, such as `knowledge_graph`. */
  area: string;
  /** What it calls; none of what the session does itself. */
  endpoint?: Endpoint;
  /** Of its arguments. */
  input: z.ZodObject;
  readonly definition: Definition;
}

/** The tool that an endpoint makes. */
export function toolOf(endpoint: Endpoint): Tool {
  const name = toolNameOf(endpoint.name);
  const input = withoutOtherForms(endpoint.input).strict();
  return {
    name,
    area: toolNameOf(endpoint.name.split(".")[0] as string),
    endpoint,
    input,
    definition: {
      name,
      title: endpoint.summary,
      description: descriptionOf(endpoint, input),
      inputSchema: inputSchema(input),
      outputSchema: outputSchema(endpoint.output),
      annotations: annotationsOf(endpoint),
    },
  };
}

/** Whether somebody who holds these scopes may call it. */
export function mayCall(tool: Tool, scopes: readonly Scope[]): boolean {
  const needed = tool.endpoint?.scope ?? "public";
  return needed === "public" || allows(scopes, needed);
}

/** A tool answers in JSON: what would choose another form is no argument of it. */
function withoutOtherForms(input: z.ZodObject): z.ZodObject {
  const { format } = inputSchema(input).properties ?? {};
  const chooses = Array.isArray(format?.enum) && format.enum.includes("json");
  return chooses ? input.omit({ format: true }) : input;
}

/** The summary, and of the description as many whole sentences as are short together. */
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

/** Such as "201 where it is new." */
function ofHttpAlone(sentence: string): boolean {
  return sentence === "" || /^20\d where /.test(sentence);
}

/** Only what this server keeps is ever read or changed, so that no tool's world is open. */
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
