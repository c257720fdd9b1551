import fc from "fast-check";
import { brokenText, hostileString, type Schema, stringFor, textFor } from "./json-texts.ts";

/** Credentials that a request may bear. Broken ones are made from a valid one. */
export const WHO = ["owner", "admin", "write", "read", "bound", "token"] as const;
export type Who = (typeof WHO)[number];
const BROKEN = ["none", "typo", "cut", "basic", "both", "empty", "huge", "bytes"] as const;
type Broken = (typeof BROKEN)[number];

export interface FuzzRequest {
  method: string;
  /** Path in which `{n}` stands for the n-th known id, modulo their number. */
  path: string;
  headers: [name: string, value: string][];
  body?: string;
  who: Who | Broken;
}

interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  schema: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Body {
  type: string;
  text: string;
}

/** Inlines all references of the document. No schema in it is recursive. */
export function withoutReferences(document: OpenApi): OpenApi {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref !== "string") {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
    }
    const path = $ref.slice("#/".length).split("/");
    return resolve(path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document));
  };
  return { paths: resolve(document.paths) as OpenApi["paths"] };
}

/** Generates requests to all operations of the document, most of them nearly valid. */
export function requestsOf({ paths }: OpenApi): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestFor(method.toUpperCase(), path, operation)),
  );
  const pages = [
    "/",
    "/device",
    "/sign-in",
    "/sign-out",
    "/password",
    "/usage",
    "/keys",
    "/devices",
    "/docs",
    "/metrics",
  ];
  const elsewhere = fc.oneof(
    fc.constantFrom(...pages),
    hostileString.map((text) => `/${encoded(text)}`),
  );
  const other = elsewhere.chain((path) => requestFor("GET", path, {}));
  return fc.oneof({ arbitrary: fc.oneof(...operations), weight: 20 }, { arbitrary: other, weight: 1 });
}

function requestFor(method: string, path: string, operation: Operation): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? [];
  const content = operation.requestBody?.content ?? {};
  const form = content["application/x-www-form-urlencoded"]?.schema;
  const json = content["application/json"]?.schema;
  const bodies: fc.Arbitrary<Body | undefined>[] = [
    ...(json ? [fc.record({ type: fc.constant("application/json"), text: textFor(json) })] : []),
    ...(form
      ? [fc.record({ type: fc.constant("application/x-www-form-urlencoded"), text: formFor(form) })]
      : []),
  ];
  const right = bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined);
  const wrong: fc.Arbitrary<Body | undefined> = fc.record({
    type: fc.constantFrom(
      "application/json",
      "text/plain",
      "application/json; charset=utf-16",
      "multipart/form-data",
      "",
    ),
    text: fc.oneof(brokenText, fc.string({ maxLength: 200 })),
  });
  return fc
    .record({
      method: rarely(
        fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"),
        fc.constant(method),
      ),
      path: pathFor(
        path,
        parameters.filter((parameter) => parameter.in === "path"),
      ),
      query: queryFor(parameters.filter((parameter) => parameter.in === "query")),
      headers: headers(parameters.filter((parameter) => parameter.in === "header")),
      body: rarely(wrong, right),
      who: fc.oneof(
        { arbitrary: fc.constantFrom<Who | Broken>(...WHO), weight: 8 },
        fc.constantFrom(...BROKEN),
      ),
    })
    .map(({ method, path, query, headers, body, who }) => {
      const bodiless = body === undefined || ["GET", "HEAD", "TRACE"].includes(method);
      return {
        method,
        path: query === "" ? path : `${path}?${query}`,
        headers: [
          ...headers,
          ...(bodiless || body.type === "" ? [] : [["content-type", body.type] as [string, string]]),
        ],
        ...(!bodiless && { body: body.text }),
        who,
      };
    });
}

function rarely<T>(seldom: fc.Arbitrary<T>, mostly: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: mostly, weight: 12 }, { arbitrary: seldom, weight: 1 });
}

function pathFor(path: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  return parameters.reduce(
    (paths, { name }) =>
      fc
        .tuple(
          paths,
          fc.oneof(
            fc.nat(1_000).map((index) => `{${index}}`),
            hostileString.map(encoded),
          ),
        )
        .map(([text, value]) => text.replace(`{${name}}`, () => value)),
    fc.constant(path) as fc.Arbitrary<string>,
  );
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) =>
    fc.oneof(
      fc.constant(""),
      fc
        .oneof(stringFor(schema), fc.integer().map(String), hostileString)
        .map((value) => `${name}=${encoded(value)}`),
    ),
  );
  const extra = hostileString.map((text) => encoded(text));
  return fc
    .tuple(...pairs, rarely(extra, fc.constant("")))
    .map((all) => all.filter((pair) => pair !== "").join("&"));
}

function headers(parameters: readonly Parameter[]): fc.Arbitrary<[string, string][]> {
  const known = parameters.map(({ name }) =>
    rarely(
      headerValue.map((value): [string, string][] => [[name, value]]),
      fc.constant<[string, string][]>([]),
    ),
  );
  const names = fc.constantFrom(
    ...[
      "accept",
      "accept-encoding",
      "cookie",
      "origin",
      "referer",
      "range",
      "if-none-match",
      "x-forwarded-for",
    ],
    ...[
      "forwarded",
      "x-http-method-override",
      "content-encoding",
      "x-project-id",
      "idempotency-key",
      "user-agent",
    ],
  );
  const random: fc.Arbitrary<[string, string][]> = fc.array(fc.tuple(names, headerValue), { maxLength: 2 });
  return fc
    .tuple(...known, rarely(random, fc.constant<[string, string][]>([])))
    .map((all) => (all as [string, string][][]).flat());
}

const headerValue = fc.oneof(
  fc.constantFrom(
    "*",
    "gzip",
    "text/html",
    "bytes=0-",
    "null",
    "a=b; c=d",
    "127.0.0.1",
    "::1",
    "https://evil.example",
  ),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 300 }).map((text) => text.trim() || "x"),
  hostileString.map(
    (text) =>
      Buffer.from(text)
        .toString("latin1")
        .replace(/[^\x20-\x7e\x80-\xff]/g, "") || "x",
  ),
);

function formFor({ anyOf = [], ...own }: Schema): fc.Arbitrary<string> {
  const properties = Object.assign({}, ...[own, ...anyOf].map((schema) => schema.properties));
  return queryFor(
    Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
      in: "query",
      name,
      schema,
    })),
  );
}

/** Percent-encodes any text as UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
