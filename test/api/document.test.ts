import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { endpoints } from "../../src/api.ts";
import { refinementRules } from "../../src/contract/components.ts";
import { PROBLEMS } from "../../src/contract/problem.ts";
import { problemsOf } from "../../src/contract/problems-of.ts";
import { startApp } from "../support/app.ts";

type Json = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document without its type
async function documentOf(): Promise<any> {
  const app = await startApp();
  const { body, headers } = await app.request("GET", "/openapi.json", { key: null });
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  return body;
}

describe("the OpenAPI document", () => {
  it("passes Redocly's linter", async () => {
    const source = JSON.stringify(await documentOf());
    const config = await createConfig({ extends: ["recommended"] });
    const complaints = (await lintFromString({ source, config })).map(
      ({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`,
    );
    expect(complaints).toEqual([
      // Sentry's SDKs derive these paths from a DSN.
      "no-path-trailing-slash #/paths/~1api~1{number}~1envelope~1",
      "no-path-trailing-slash #/paths/~1api~1{number}~1store~1",
      // sentry-cli derives these from an organization.
      ...["chunk-upload", "artifactbundle~1assemble", "releases", "releases~1{version}"].map(
        (path) => `no-path-trailing-slash #/paths/~1api~10~1organizations~1{organization}~1${path}~1`,
      ),
      // For hand-written clients. Operations refer to the problem of each `error` instead.
      "no-unused-components #/components/schemas/MethodNotAllowedProblem",
      "no-unused-components #/components/schemas/Problem",
    ]);
  });

  it("is generated once for all servers of a process", async () => {
    const [one, other] = [await startApp(), await startApp()].map(({ app }) => app.openApi());
    expect(other?.paths).toBe(one?.paths);
  });

  it("gives each operation a unique id and its security, and each tag a description", async () => {
    const { paths, tags } = await documentOf();
    const operations = operationsOf(paths);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { security, tags: used, operationId } of operations) {
      expect([operationId, Array.isArray(security)]).toEqual([operationId, true]);
      for (const tag of used)
        expect(tags).toContainEqual({ name: tag, description: expect.stringMatching(/./) });
    }
  });

  it("names its components as no generator names what it makes of an operation, and none alike but for case", async () => {
    const { paths, components } = await documentOf();
    const { schemas, parameters } = components;
    const made = operationsOf(paths).flatMap(({ operationId }) => {
      const pascal = String(operationId)
        .split("_")
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join("");
      // orval, hey-api and the generators of OpenAPI for fetch have types of these names for each operation.
      return ["Request", "Result", "Response", "Data", "Params", "Body"].map((kind) => pascal + kind);
    });
    expect(made.filter((name) => Object.hasOwn(schemas, name))).toEqual([]);
    const names = [schemas, parameters].flatMap(Object.keys).map((name) => name.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("declares every status explicitly, with its body and the rate limit headers", async () => {
    const { paths, components } = await documentOf();
    for (const { operationId, responses } of operationsOf(paths)) {
      for (const [status, given] of Object.entries(responses as Record<string, Json>)) {
        const response = resolved(given, components);
        expect([operationId, status]).toEqual([operationId, expect.stringMatching(/^[2345]\d\d$/)]);
        const bodiless = ["202", "204", "304"].includes(status) && !response.content;
        expect([operationId, status, Object.keys((response.content ?? {}) as Json).length > 0]).toEqual([
          operationId,
          status,
          !bodiless,
        ]);
        expect(Object.keys(response.headers as Json)).toEqual(
          expect.arrayContaining(["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "RateLimit"]),
        );
      }
    }
  });

  it("lists exactly the problems that each endpoint declares, by status", async () => {
    const { paths, components } = await documentOf();
    for (const endpoint of endpoints) {
      const { responses } = paths[endpoint.path][endpoint.method.toLowerCase()];
      const errors = Object.entries(responses as Record<string, Json>).flatMap(([status, given]) =>
        errorsIn(resolved(given, components), components).map((error) => `${status} ${error}`),
      );
      expect(errors).toEqual(problemsOf(endpoint).map((code) => `${PROBLEMS[code].status} ${code}`));
    }
  });

  it("names the schema of every body, strict for requests and without defaults", async () => {
    const { paths, components } = await documentOf();
    for (const { operationId, requestBody } of operationsOf(paths)) {
      const content = Object.entries((requestBody?.content ?? {}) as Record<string, { schema: Json }>);
      for (const [mediaType, { schema }] of content) {
        if (/^(mcp|auth_|observability_report)/.test(operationId)) continue;
        // JSON lines, which OpenAPI 3.1 can only describe as a string.
        if (mediaType === "application/x-ndjson") continue;
        expect([operationId, schema.$ref]).toEqual([
          operationId,
          expect.stringMatching(/^#\/components\/schemas\//),
        ]);
        expect([operationId, resolved(schema, components).additionalProperties]).toEqual([
          operationId,
          false,
        ]);
      }
    }
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect([name, JSON.stringify(schema)]).toEqual([name, expect.not.stringContaining('"default":')]);
    }
    for (const name of [
      "Problem",
      "Account",
      "Project",
      "Memory",
      "Entity",
      "Entitlements",
      "TokenResponse",
    ]) {
      expect(Object.keys(components.schemas)).toContain(name);
    }
  });

  it("covers 201, 202, 204, 304, event streams and text as responses", async () => {
    const { paths } = await documentOf();
    const typesOf = (path: string, method: string, status: number) =>
      Object.keys(paths[path][method].responses[status].content ?? {});
    const resolve = paths["/api/v1/entitlements/resolve"].get;
    expect(Object.keys(resolve.responses[304].headers)).toContain("ETag");
    expect(resolve.parameters).toContainEqual({ $ref: "#/components/parameters/ifNoneMatch" });
    expect(typesOf("/api/v1/tools/knowledge-graph/entity", "post", 200)).toEqual(["application/json"]);
    expect(typesOf("/api/v1/tools/knowledge-graph/entity", "post", 201)).toEqual(["application/json"]);
    expect(typesOf("/api/v1/events/batch", "post", 202)).toEqual(["application/json"]);
    expect(typesOf("/api/v1/keys/{keyId}", "delete", 204)).toEqual([]);
    expect(typesOf("/api/v1/tools/pair/session/{sessionId}/events", "get", 200)).toEqual([
      "text/event-stream",
    ]);
    expect(typesOf("/api/v1/tools/code-review", "post", 200)).toContain("application/sarif+json");
    expect(typesOf("/api/v1/tools/knowledge-graph", "get", 200)).toHaveLength(4);
    expect(typesOf("/metrics", "get", 200)).toEqual(["text/plain"]);
  });

  it("describes every OAuth error of the token endpoint (RFC 6749 §5.2, RFC 8628 §3.5)", async () => {
    const { paths, components } = await documentOf();
    const { 400: given } = paths["/auth/device/token"].post.responses;
    const { content } = resolved(given, components) as {
      content: { "application/json": { schema: { properties: { error: { enum: string[] } } } } };
    };
    const { properties } = content["application/json"].schema;
    expect(properties.error.enum.toSorted()).toEqual(
      [
        ...["access_denied", "authorization_pending", "expired_token", "invalid_grant", "invalid_request"],
        ...["invalid_dpop_proof", "invalid_scope", "invalid_target", "slow_down", "unsupported_grant_type"],
      ].toSorted(),
    );
  });
});

describe("rules that JSON Schema cannot express", () => {
  it("are put into words for every refined schema of the API", () => {
    const wordless = endpoints.flatMap(({ name, input, output }) =>
      [...refinedWithin(input), ...refinedWithin(output)]
        .filter(({ schema }) => refinementRules.get(schema) === undefined)
        .map(({ path }) => `${name}: ${path}`),
    );
    expect(wordless).toEqual([]);
  });

  it("appear in the description of a schema or an operation", async () => {
    const { paths, components } = await documentOf();
    const { schemas } = components;
    expect(schemas.ContextOptimizeInput.description).toContain("Either `content` or `segments`, never both");
    expect(schemas.ModelTask.description).toContain("`cachedInputTokens` is at most `inputTokens`");
    expect(paths["/api/v1/usage"].get.description).toContain("`from` is before `to`");
    expect(paths["/api/v1/accounts/{accountId}"].patch.description).toContain("`limits.burst` is at least");
    expect(paths["/api/v1/entitlements/resolve"].post.description).toContain("`projectId` and the header");
  });
});

describe("examples", () => {
  it("exist for every body and match its schema", () => {
    for (const { name, method, input, example } of endpoints) {
      const takesBody = ["POST", "PUT", "PATCH"].includes(method);
      if (example) expect([name, input.safeParse(example).error?.issues]).toEqual([name, undefined]);
      else if (takesBody) expect([name, required(input)]).toEqual([name, ["in the path, or nothing"]]);
    }
  });
});

/** Returns the members that an example must have. A body with at most one required member needs no example. */
function required({ shape }: z.ZodObject): string[] {
  const wanted = Object.entries(shape).filter(([, member]) => !member.safeParse(undefined).success);
  return wanted.length <= 1 ? ["in the path, or nothing"] : wanted.map(([name]) => name);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document without its type
function operationsOf(paths: Record<string, Record<string, any>>): any[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

function resolved(value: Json, components: Json): Json {
  if (typeof value.$ref !== "string") return value;
  const path = value.$ref.slice("#/components/".length).split("/");
  return path.reduce<Json>((at, name) => at[name] as Json, components);
}

function errorsIn({ content = {} }: Json, components: Json): string[] {
  const { schema } = (content as Record<string, { schema?: Json }>)["application/problem+json"] ?? {};
  if (!schema) return [];
  return ((schema.oneOf ?? [schema]) as Json[]).map((option) => {
    const { properties } = resolved(option, components) as { properties: { error: { const: string } } };
    return properties.error.const;
  });
}

interface Refined {
  path: string;
  schema: z.core.$ZodType;
}

/** Returns every schema inside another that has a custom check. */
function refinedWithin(schema: z.core.$ZodType, path = "", seen = new Set<z.core.$ZodType>()): Refined[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const def = schema._zod.def as z.core.$ZodTypeDef & Record<string, unknown>;
  const refined =
    def.type === "custom" || (def.checks ?? []).some((check) => check._zod.def.check === "custom");
  const inner = Object.entries(def).flatMap(([key, value]) => {
    if (key === "checks") return [];
    if (key === "shape") {
      return Object.entries(value as Record<string, z.core.$ZodType>).flatMap(([name, member]) =>
        refinedWithin(member, `${path}.${name}`, seen),
      );
    }
    const all = Array.isArray(value) ? value : [value];
    return all.filter(isSchema).flatMap((each) => refinedWithin(each, path, seen));
  });
  return [...(refined ? [{ path, schema }] : []), ...inner];
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value && "def" in (value as Json);
}
