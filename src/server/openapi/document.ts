import type { Endpoint } from "../../contract/endpoint.ts";
import { endpointOperation, usesOf } from "./endpoint-operation.ts";
import { type Content, isZod, type Operation, operationObject, type Responses } from "./operation.ts";
import { PROBLEM_SCHEMAS } from "./problem-schemas.ts";
import { PARAMETERS } from "./request-headers.ts";
import { headerComponents } from "./response-headers.ts";
import { createSchemas, type Json, type Use } from "./schemas.ts";
import { securitySchemes } from "./security.ts";
import { tagsOf } from "./tags.ts";

/** A route that is not a declared endpoint (OAuth, health), with its operation in the document. */
export interface Described {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  operation: Operation;
}

const INTRODUCTION = `Errors are \`application/problem+json\` (RFC 9457), under \`/auth\` as RFC 6749 §5.2 has them: branch on
\`error\`. Every response bears the limit headers. Bodies and queries are strict: an unknown member is refused by name,
but for OAuth's parameters.`;

/** Returns the OpenAPI 3.1 document of the whole service, built from the declarations that route it. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  others: readonly Described[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const { paths, tags, components } = partsOf(endpoints, others);
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolplane",
      version,
      summary: "The control plane behind a developer tool.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    externalDocs: { description: "What each problem means, and what to do", url: `${baseUrl}/docs/problems` },
    security: [{ bearer: [] }, { apiKey: [] }],
    tags,
    paths,
    components: { securitySchemes: securitySchemes(baseUrl), ...components },
  };
}

interface Parts {
  paths: Record<string, Json>;
  tags: Json[];
  components: Json;
}

let latest: { of: readonly unknown[]; parts: Parts } | undefined;

/**
 * Builds the parts of the document that do not depend on the app. This takes 0.1 s, so apps of one process share the
 * result.
 */
function partsOf(endpoints: readonly Endpoint[], others: readonly Described[]): Parts {
  const of = [...endpoints, ...others.map(({ operation }) => operation)];
  if (latest?.of.length !== of.length || !of.every((each, index) => each === latest?.of[index])) {
    latest = { of, parts: makeParts(endpoints, others) };
  }
  return latest.parts;
}

function makeParts(endpoints: readonly Endpoint[], others: readonly Described[]): Parts {
  const schemas = createSchemas([
    ...PROBLEM_SCHEMAS.map((type): Use => ({ type, side: "output" })),
    ...endpoints.flatMap(usesOf),
    ...others.flatMap(({ operation }) => usesOfOperation(operation)),
  ]);
  const operations = [
    ...others,
    ...endpoints.map((endpoint) => ({ ...endpoint, operation: endpointOperation(endpoint, schemas) })),
  ];
  const responses: Responses = new Map();
  const paths: Record<string, Json> = {};
  for (const { path, method, operation } of operations) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, schemas, responses) };
  }
  return {
    paths,
    tags: tagsOf(operations.map(({ operation }) => operation.tag)),
    components: {
      headers: headerComponents(),
      parameters: PARAMETERS,
      responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: schemas.components(),
    },
  };
}

/** Returns the zod types of an operation that was described by hand; each has a name of its own. */
function usesOfOperation({ body, answers }: Operation): Use[] {
  const typesOf = (content: Content["content"] = {}) => Object.values(content).filter(isZod);
  return [
    ...typesOf(body?.content).map((type): Use => ({ type, side: "input" })),
    ...Object.values(answers).flatMap(({ content }) =>
      typesOf(content).map((type): Use => ({ type, side: "output" })),
    ),
  ];
}
