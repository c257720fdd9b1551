import type * as z from "zod";
import type { Scope } from "../../contract/caller.ts";
import { type OAuthErrorCode, PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { inOrder } from "../../contract/problems-of.ts";
import { pascal } from "./problem-schemas.ts";
import { headersOf, type SomeHeader } from "./response-headers.ts";
import type { Json, Schemas } from "./schemas.ts";

/** The description of a method and path for the document. */
export interface Operation {
  id: string;
  /** One line in the imperative, without a full stop. */
  summary: string;
  description?: string;
  tag: string;
  scope: Scope | "public";
  parameters?: readonly Json[];
  body?: Content & { required: boolean; example?: unknown };
  answers: Readonly<Record<number, Success>>;
  /** Its errors as `application/problem+json`. */
  problems: readonly ProblemCode[];
  /** Its errors as `application/json` of RFC 6749 §5.2, by status. */
  oauthErrors?: Readonly<Record<number, readonly OAuthErrorCode[]>>;
  /** Its errors as JSON-RPC 2.0 errors, with the problem in `data`. */
  rpcProblems?: readonly ProblemCode[];
}

/** The content by media type; undefined allows anything. */
export interface Content {
  content: Readonly<Record<string, z.ZodType | Json | undefined>>;
}

export interface Success extends Partial<Content> {
  description: string;
  headers?: readonly SomeHeader[];
}

/** The responses of the document that operations share, by name. */
export type Responses = Map<string, Json>;

/** Returns an operation object of the document. Adds the responses to its errors to the shared ones. */
export function operationObject(operation: Operation, schemas: Schemas, shared: Responses): Json {
  const { id, summary, description, tag, scope, parameters = [], body } = operation;
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(scope === "public" ? { security: [] } : { security: securityOf(scope), "x-scope": scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: body.required, content: contentOf(body, schemas, "input", body.example) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, successObject(answer, schemas)]),
      ),
      ...failures(operation, shared),
    },
  };
}

/**
 * Returns the security requirements. For schemes other than OAuth 2, the names are those of roles (OpenAPI 3.1
 * §4.8.30).
 */
function securityOf(scope: Scope): Json[] {
  return [{ bearer: [scope] }, { apiKey: [scope] }];
}

function contentOf(
  { content }: Content,
  schemas: Schemas,
  side: "input" | "output",
  example?: unknown,
): Json {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [
      mediaType,
      {
        schema: isZod(schema) ? schemas.refer(schema, side) : (schema ?? {}),
        ...(example !== undefined && isZod(schema) && { example }),
      },
    ]),
  );
}

export function isZod(schema: z.ZodType | Json | undefined): schema is z.ZodType {
  return schema !== undefined && "_zod" in schema;
}

function successObject({ description, headers, content }: Success, schemas: Schemas): Json {
  return {
    description,
    headers: headersOf(headers),
    ...(content && { content: contentOf({ content }, schemas, "output") }),
  };
}

function failures({ id, problems, oauthErrors = {}, rpcProblems = [] }: Operation, shared: Responses): Json {
  const found: Json = {};
  for (const [status, codes] of byStatus(rpcProblems)) found[status] = sharedRpcErrors(status, codes, shared);
  for (const [status, codes] of byStatus(problems)) found[status] = sharedProblems(status, codes, shared);
  for (const [status, codes] of Object.entries(oauthErrors)) {
    const name = codes.length > 1 ? `${pascal(id)}Refusal` : `OAuth${status}${codes.map(pascal)}`;
    found[status] = sharedOAuthErrors(name, Number(status), codes, shared);
  }
  return found;
}

/** Groups problems by status, lowest first. */
export function byStatus(problems: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const found = new Map<number, ProblemCode[]>();
  for (const code of inOrder(problems)) {
    const { status } = PROBLEMS[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

function sharedProblems(status: number, codes: readonly ProblemCode[], shared: Responses): Json {
  const references = codes.map((code) => `#/components/schemas/${pascal(code)}Problem`);
  const name = codes.map(pascal).join("Or");
  shared.set(name, {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n"),
    headers: headersOf(headersOfStatus(status)),
    content: {
      "application/problem+json": {
        schema:
          references.length === 1
            ? { $ref: references[0] }
            : {
                oneOf: references.map(($ref) => ({ $ref })),
                discriminator: {
                  propertyName: "error",
                  mapping: Object.fromEntries(codes.map((code, index) => [code, references[index]])),
                },
              },
      },
    },
  });
  return { $ref: `#/components/responses/${name}` };
}

function sharedOAuthErrors(
  name: string,
  status: number,
  codes: readonly OAuthErrorCode[],
  shared: Responses,
): Json {
  shared.set(name, {
    description: `${codes.map((code) => `\`${code}\``).join(", ")} (RFC 6749 §5.2).`,
    headers: headersOf(headersOfStatus(status)),
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["error", "error_description"],
          properties: {
            error: { type: "string", enum: codes, description: "Branch on this" },
            error_description: { type: "string", description: "What is wrong, for people" },
          },
        },
      },
    },
  });
  return { $ref: `#/components/responses/${name}` };
}

function sharedRpcErrors(status: number, codes: readonly ProblemCode[], shared: Responses): Json {
  const name = `Rpc${codes.map(pascal).join("Or")}`;
  shared.set(name, {
    description: `${codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n")}\nAs an error of JSON-RPC 2.0.`,
    headers: headersOf(headersOfStatus(status)),
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["jsonrpc", "error"],
          properties: {
            jsonrpc: { const: "2.0" },
            id: {
              type: ["string", "number", "null"],
              description: "The request's, where it could be read",
            },
            error: {
              type: "object",
              required: ["code", "message"],
              properties: {
                code: { type: "integer", description: "Of JSON-RPC or MCP; else the status" },
                message: { type: "string" },
                data: { type: "object", description: "The problem, where the protocol has no other for it" },
              },
            },
          },
        },
      },
    },
  });
  return { $ref: `#/components/responses/${name}` };
}

function headersOfStatus(status: number): SomeHeader[] {
  if (status === 401 || status === 403) return ["WWW-Authenticate"];
  return status === 429 || status === 503 ? ["Retry-After"] : [];
}
