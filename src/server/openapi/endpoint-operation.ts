import * as z from "zod";
import { refinementRules } from "../../contract/components.ts";
import { type Endpoint, namesInPath } from "../../contract/endpoint.ts";
import { problemsOf, readsBody } from "../../contract/problems-of.ts";
import type { Operation, Success } from "./operation.ts";
import { pascal } from "./problem-schemas.ts";
import { parameterReference } from "./request-headers.ts";
import type { SomeHeader } from "./response-headers.ts";
import { type Json, READ_ONLY, type Schemas, type Use } from "./schemas.ts";

/** Returns the types of a declared endpoint, with names for those that have none. */
export function usesOf(endpoint: Endpoint): Use[] {
  const name = pascal(endpoint.name);
  const body = bodyTypeOf(endpoint);
  return [
    ...(body ? [{ type: body, side: "input" as const, name: `${name}Input` }] : []),
    // Parameters are made of it, so nothing refers to it.
    { type: endpoint.input, side: "input", name: READ_ONLY + name },
    ...(endpoint.status === 204
      ? []
      : [{ type: endpoint.output, side: "output" as const, name: `${name}Output` }]),
  ];
}

/** Returns an operation of the document from the declaration that routes it. */
export function endpointOperation(endpoint: Endpoint, schemas: Schemas): Operation {
  const { name, summary, scope } = endpoint;
  const description = descriptionOf(endpoint);
  return {
    id: name.replace(/[.-]/g, "_"),
    summary,
    ...(description && { description }),
    tag: name.split(".")[0] as string,
    scope,
    parameters: parametersOf(endpoint, schemas),
    ...bodyOf(endpoint, schemas),
    answers: answersOf(endpoint),
    problems: problemsOf(endpoint),
  };
}

/** Returns the rules for an input that its schema does not express. */
export function rulesOf({ rules = [], path, input }: Endpoint): string[] {
  const isProjectNamed = "projectId" in input.shape && !path.includes("{projectId}");
  return [
    ...rules,
    ...(isProjectNamed
      ? ["`projectId` and the header `X-Project-Id` are the same where both are there."]
      : []),
  ];
}

function descriptionOf(endpoint: Endpoint): string {
  const rules = rulesOf(endpoint);
  const paragraphs = [
    ...(endpoint.description ? [endpoint.description] : []),
    ...(rules.length > 0 ? [["Rules:", ...rules.map((rule) => `- ${rule}`)].join("\n")] : []),
  ];
  return paragraphs.join("\n\n");
}

const bodyTypes = new WeakMap<Endpoint, z.ZodType>();

/** Returns the type of the body: the input without the path's parameters. Undefined if there is no body. */
function bodyTypeOf(endpoint: Endpoint): z.ZodType | undefined {
  if (!readsBody(endpoint)) return undefined;
  const { input, path } = endpoint;
  const inPath = namesInPath(path);
  const shape = Object.entries(input.shape).filter(([name]) => !inPath.includes(name));
  if (shape.length === 0) return undefined;
  if (inPath.length === 0) return input;
  const known = bodyTypes.get(endpoint);
  if (known) return known;
  const body = z.strictObject(Object.fromEntries(shape));
  const said = refinementRules.get(input);
  if (said) refinementRules.add(body, said);
  bodyTypes.set(endpoint, body);
  return body;
}

function parametersOf(endpoint: Endpoint, schemas: Schemas): Json[] {
  const { path, scope, idempotent, etag, eventStream, method } = endpoint;
  const { properties, required } = membersOf(schemas.read(endpoint.input, "input"));
  const inPath = namesInPath(path);
  const inQuery = readsBody(endpoint) ? [] : Object.keys(properties).filter((name) => !inPath.includes(name));
  return [
    ...inPath.map((name) => parameter("path", name, properties[name] ?? {}, true)),
    ...inQuery.map((name) => parameter("query", name, properties[name] ?? {}, required.includes(name))),
    ...(scope === "public" ? [] : [parameterReference("projectId")]),
    ...(idempotent ? [parameterReference("idempotencyKey")] : []),
    ...(etag && method === "GET" ? [parameterReference("ifNoneMatch")] : []),
    ...(eventStream ? [parameterReference("lastEventId")] : []),
  ];
}

function membersOf({ properties = {}, required = [] }: Json): {
  properties: Record<string, Json>;
  required: string[];
} {
  return { properties: properties as Record<string, Json>, required: required as string[] };
}

function parameter(place: "path" | "query", name: string, schema: Json, required: boolean): Json {
  const { description, ...rest } = schema;
  return { in: place, name, required, ...(typeof description === "string" && { description }), schema: rest };
}

function bodyOf(endpoint: Endpoint, schemas: Schemas): Pick<Operation, "body"> {
  const type = bodyTypeOf(endpoint);
  if (!type) return {};
  const { example, path, bodyTypes = [] } = endpoint;
  const shown = example && Object.entries(example).filter(([name]) => !namesInPath(path).includes(name));
  return {
    body: {
      required: membersOf(schemas.read(type, "input")).required.length > 0,
      content: {
        "application/json": type,
        ...Object.fromEntries(bodyTypes.map((mediaType): [string, Json] => [mediaType, { type: "string" }])),
      },
      ...(shown && { example: Object.fromEntries(shown) }),
    },
  };
}

function answersOf(endpoint: Endpoint): Record<number, Success> {
  const { status = 200, otherwise = {}, etag, method, output, idempotent } = endpoint;
  const headers: SomeHeader[] = [
    ...(idempotent ? ["Idempotent-Replayed" as const] : []),
    ...(etag ? (["ETag", "Cache-Control", "Vary"] as const) : []),
  ];
  const answer = (code: number, description: string): Success => ({
    description,
    headers,
    ...(code !== 204 && { content: contentOf(endpoint, output) }),
  });
  const answers: Record<number, Success> = { [status]: answer(status, mainAnswer(endpoint)) };
  for (const [code, description] of Object.entries(otherwise)) {
    answers[Number(code)] = answer(Number(code), description as string);
  }
  if (etag && method === "GET") {
    answers[304] = { description: "The client holds this answer already (`If-None-Match`).", headers };
  }
  return answers;
}

function mainAnswer({ status, eventStream, formats = {} }: Endpoint): string {
  if (eventStream) {
    return "Server-sent events; the schema is of what the `data` of one holds, as JSON.";
  }
  const others = Object.entries(formats).map(
    ([mediaType, asked]) => `\`${mediaType}\` where asked for by ${asked}`,
  );
  const usual =
    status === 204 ? "Done; there is nothing to say." : status === 201 ? "It is there now." : "Done.";
  return [usual, ...(others.length > 0 ? [`As ${others.join(", ")}; as JSON otherwise.`] : [])].join(" ");
}

function contentOf({ eventStream, formats = {} }: Endpoint, output: z.ZodType) {
  if (eventStream) return { "text/event-stream": output };
  const others = Object.keys(formats).map((mediaType): [string, Json] => [
    mediaType,
    mediaType.endsWith("json") ? { type: "object", additionalProperties: true } : { type: "string" },
  ]);
  return { "application/json": output, ...Object.fromEntries(others) };
}
