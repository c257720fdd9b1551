import { z } from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { PROBLEMS } from "../contract/problem.ts";

type Json = Record<string, unknown>;

/** A path that is no declared endpoint (OAuth, health), described by hand where it is routed. */
export interface Described {
  method: "GET" | "POST";
  path: string;
  operation: Json;
}

/** OpenAPI 3.1 of the whole service, from the declarations that route it. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  others: readonly Described[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json): void => {
    const known = paths[path] ?? {};
    known[method.toLowerCase()] = operation;
    paths[path] = known;
  };
  for (const { method, path, operation } of others) add(path, method, operation);
  for (const endpoint of endpoints) add(endpoint.path, endpoint.method, operationOf(endpoint));
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolplane",
      version,
      summary: "The control plane behind a developer tool.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf([...others.map((other) => other.operation), ...endpoints.map(operationOf)]),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An access token (`tat_…`) or an API key (`tak_…`).",
        },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
      headers: LIMIT_HEADERS,
      schemas: { Problem: problemSchema(), OAuthError: oauthErrorSchema() },
      responses: {
        Problem: {
          description: "What went wrong (RFC 9457); branch on `error`.",
          headers: limitHeaderReferences(),
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
        OAuthError: {
          description: "RFC 6749 §5.2",
          headers: limitHeaderReferences(),
          content: { "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } } },
        },
      },
    },
  };
}

function operationOf(endpoint: Endpoint): Json {
  const status = endpoint.status ?? 200;
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const schema = jsonSchema(endpoint.input, "input");
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  const readsBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const elsewhere = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameters: Json[] = inPath.map((name) => parameter("path", name, properties[name] ?? {}, true));
  if (!readsBody) {
    parameters.push(
      ...elsewhere.map((name) => parameter("query", name, properties[name] ?? {}, required.includes(name))),
    );
  }
  if (endpoint.scope !== "public") parameters.push(PROJECT_HEADER);
  if (endpoint.idempotent) parameters.push(IDEMPOTENCY_HEADER);
  return {
    operationId: endpoint.name.replace(/[.-]/g, "_"),
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [endpoint.name.split(".")[0]],
    ...(endpoint.scope === "public" ? { security: [] } : { "x-scope": endpoint.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(readsBody &&
      elsewhere.length > 0 && {
        requestBody: {
          required: required.some((name) => elsewhere.includes(name)),
          content: { "application/json": { schema: without(schema, inPath) } },
        },
      }),
    responses: {
      [status]: {
        description: "Done.",
        headers: limitHeaderReferences(),
        ...(status !== 204 && {
          content: {
            [endpoint.eventStream ? "text/event-stream" : "application/json"]: {
              schema: jsonSchema(endpoint.output, "output"),
            },
          },
        }),
      },
      "4XX": { $ref: "#/components/responses/Problem" },
      "5XX": { $ref: "#/components/responses/Problem" },
    },
  };
}

function parameter(place: "path" | "query", name: string, schema: Json, required: boolean): Json {
  const { description, ...rest } = schema;
  return { in: place, name, required, ...(typeof description === "string" && { description }), schema: rest };
}

/** JSON Schema of one side of a zod type; what JSON Schema cannot say is left open. */
export function jsonSchema(type: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" }) as Json;
  return schema;
}

function without(schema: Json, names: readonly string[]): Json {
  const properties = Object.entries((schema.properties ?? {}) as Json).filter(
    ([name]) => !names.includes(name),
  );
  const required = ((schema.required ?? []) as string[]).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
}

function tagsOf(operations: readonly Json[]): Json[] {
  const names = new Set(operations.flatMap((operation) => operation.tags as string[]));
  return [...names].sort().map((name) => ({ name }));
}

const LIMIT_HEADERS: Record<string, Json> = {
  "X-RateLimit-Limit": { description: "Most requests allowed in the window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in the window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Unix time at which the limit resets.", schema: { type: "integer" } },
  "X-RateLimit-Policy": { description: "`requests;w=<window seconds>`", schema: { type: "string" } },
};

function limitHeaderReferences(): Json {
  return Object.fromEntries(
    Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const PROJECT_HEADER: Json = {
  in: "header",
  name: "X-Project-Id",
  required: false,
  description: "The project this request belongs to; `default` without it.",
  schema: { type: "string", minLength: 1, maxLength: 256 },
};

const IDEMPOTENCY_HEADER: Json = {
  in: "header",
  name: "Idempotency-Key",
  required: false,
  description:
    "The same key and body within 24 hours give the first answer, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function problemSchema(): Json {
  return {
    type: "object",
    required: ["type", "title", "status", "detail", "instance", "error"],
    properties: {
      type: { type: "string", format: "uri" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string" },
      instance: { type: "string", description: "The request id, also in X-Request-Id." },
      error: { type: "string", enum: Object.keys(PROBLEMS) },
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: { type: "string" }, message: { type: "string" } },
        },
      },
    },
  };
}

function oauthErrorSchema(): Json {
  return {
    type: "object",
    required: ["error", "error_description"],
    properties: { error: { type: "string" }, error_description: { type: "string" } },
  };
}
