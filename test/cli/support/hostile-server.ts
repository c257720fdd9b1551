import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { endpoints } from "../../../src/api.ts";
import type { Endpoint } from "../../../src/contract/endpoint.ts";

/** Text that sets the clipboard and the window title, clears the screen, links, hides, reorders and overwrites. */
export const HOSTILE = [
  "evil",
  "\u001b]52;c;cm0gLXJmIC8=\u0007",
  "\u001b[2J\u001b[H\u001b[8m\u001b[38;5;9m",
  "\u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\",
  "\u001b]0;title\u0007\u001bP+q\u001b\\\u001bc",
  "\u009b2J\u009d52;c;eA==\u009c\u0085",
  "\u202etxt.exe\u202c\u2066\u2069\u200e\u200f\u061c",
  "over\rwritten\b\b\u007f\u0000\u000b\u000c",
  "\u2028\u2029\u200b\ufeff\u00ad\u{e0041}\u{e007f}",
  "two\nlines\tend",
].join(" ");

/** Ways of a hostile server: `valid` keeps to the schemas, `wild` fills enumerations and dates as well. */
export type Manner = "valid" | "wild" | "problem" | "oauth-error";

const ISSUED = "2030-01-15T12:00:00.000Z";

interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema | false;
  prefixItems?: Schema[];
  minItems?: number;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
}

/** Returns a value of a schema in which every free string is `HOSTILE`. */
function hostileValue(schema: Schema, wild: boolean, name = ""): unknown {
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choice) return hostileValue(choice[0] as Schema, wild, name);
  if (schema.const !== undefined) return wild && typeof schema.const === "string" ? HOSTILE : schema.const;
  if (schema.enum) return wild && typeof schema.enum[0] === "string" ? HOSTILE : schema.enum[0];
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string":
      return wild ? HOSTILE : hostileString(schema);
    case "integer":
    case "number":
      return Math.max(3, Math.min(schema.minimum ?? 3, 1000));
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      if (schema.prefixItems) return schema.prefixItems.map((item) => hostileValue(item, wild));
      const item = hostileValue(schema.items || {}, wild);
      return Array.from({ length: Math.max(2, schema.minItems ?? 0) }, () => item);
    }
    case "object": {
      const members = Object.entries(schema.properties ?? {})
        .filter(([member]) => member !== "nextCursor")
        .map(([member, each]) => [member, hostileValue(each, wild, member)]);
      const rest = schema.additionalProperties;
      if (typeof rest === "object") {
        const key = schema.propertyNames ? hostileValue(schema.propertyNames, wild) : HOSTILE;
        members.push([key, hostileValue(rest, wild)]);
      }
      return Object.fromEntries(members);
    }
    default:
      return { [HOSTILE]: HOSTILE };
  }
}

/** Returns a value for each alternative of a stream's output. */
function bothOf(output: z.ZodType, wild: boolean): unknown[] {
  const { anyOf = [] } = schemaOf(output);
  return anyOf.map((each) => hostileValue(each, wild));
}

function schemaOf(output: z.ZodType): Schema {
  return z.toJSONSchema(output, { unrepresentable: "any" }) as Schema;
}

function hostileString({ format, pattern }: Schema): string {
  if (pattern === undefined || new RegExp(pattern).test(HOSTILE)) return HOSTILE;
  const fitting = [ISSUED, ISSUED.slice(0, 10), "9.9.9", "2026-11", "abc"].find((text) =>
    new RegExp(pattern).test(text),
  );
  if (fitting === undefined) throw new Error(`No example for ${format ?? pattern}`);
  return fitting;
}

/** Answers of paths that are not in `endpoints`. */
const FORMS: Readonly<Record<string, unknown>> = {
  "POST /auth/device/code": {
    device_code: HOSTILE,
    user_code: HOSTILE,
    verification_uri: `https://evil.example/${HOSTILE}`,
    verification_uri_complete: `https://evil.example/?user_code=${HOSTILE}`,
    expires_in: 60,
    interval: 0.01,
  },
  "POST /auth/device/token": {
    access_token: "tat_x",
    refresh_token: "trt_x",
    expires_in: 600,
    scope: HOSTILE,
  },
  "GET /health": { status: HOSTILE },
  "GET /ready": { status: HOSTILE },
};

/** Starts a server whose every answer is hostile in the given manner, and stops it after the test. */
export async function hostileServer(): Promise<{ url: string; behave(manner: Manner): void }> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  let manner: Manner = "valid";
  const routes = endpoints.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint) }));
  const server = createServer(async (req, res) => {
    for await (const _ of req);
    // Header values are hostile in every manner.
    res.setHeader("x-request-id", "req\u009b2J");
    res.setHeader("content-type", "application/json");
    if (manner === "problem") return refuse(res, 422, PROBLEM);
    if (manner === "oauth-error") return refuse(res, 400, OAUTH_ERROR);
    const path = req.url?.split("?")[0] ?? "";
    const form = FORMS[`${req.method} ${path}`];
    if (form) return void res.end(JSON.stringify(form));
    if (path === "/.well-known/jwks.json") {
      return void res.end(JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k" }] }));
    }
    const route = routes.find(
      ({ endpoint, pattern }) => endpoint.method === req.method && pattern.test(path),
    );
    if (!route) return refuse(res, 404, PROBLEM);
    answer(req, res, route.endpoint);
  });

  function answer(req: IncomingMessage, res: ServerResponse, { output, eventStream, path }: Endpoint): void {
    const value = hostileValue(schemaOf(output), manner === "wild");
    if (eventStream) {
      res.setHeader("content-type", "text/event-stream");
      // A client that reconnects after the last event is told that the stream has ended.
      if (req.headers["last-event-id"]) return void res.writeHead(204).end();
      const [session, change] = bothOf(output, manner === "wild");
      const events = { session, change, "x\u001b[2J": value };
      for (const [event, data] of Object.entries(events))
        res.write(`id: 1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      return void res.end();
    }
    if (req.headers.accept?.includes("sarif")) {
      const { summary } = value as { summary: unknown };
      return void res.end(JSON.stringify({ runs: [{ tool: HOSTILE, properties: { summary } }] }));
    }
    if (/format=(?!json)/.test(req.url ?? "")) {
      res.setHeader("content-type", "text/plain; charset=utf-8");
      return void res.end(HOSTILE);
    }
    if (path.endsWith("/entitlements/resolve") && manner === "valid") {
      return void res.end(JSON.stringify({ ...(value as object), signature: signed(value as object) }));
    }
    res.end(JSON.stringify(value));
  }

  function signed(document: object): string {
    const { signature: _, ...content } = document as { signature: string };
    const payload = { ...content, iss: url, credential: { id: HOSTILE } };
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const head = `${encode({ alg: "EdDSA", typ: "entitlements+jwt", kid: "k" })}.${encode(payload)}`;
    return `${head}.${sign(null, Buffer.from(head), privateKey).toString("base64url")}`;
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url,
    behave: (next) => {
      manner = next;
    },
  };
}

const PROBLEM = {
  type: HOSTILE,
  title: HOSTILE,
  status: 422,
  detail: HOSTILE,
  error: "unprocessable",
  errors: [{ path: HOSTILE, message: HOSTILE }],
  [HOSTILE]: HOSTILE,
};

const OAUTH_ERROR = { error: HOSTILE, error_description: HOSTILE };

function refuse(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status).end(JSON.stringify(body));
}

function patternOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
