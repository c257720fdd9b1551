import { refinementRules } from "../src/contract/components.ts";
import { type Endpoint, UserId } from "../src/contract/endpoint.ts";
import { PROBLEMS, type ProblemCode } from "../src/contract/problem.ts";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL, WITH_KEY, WITH_STORING } from "../src/contract/problems-of.ts";
import { rulesOf } from "../src/server/openapi/endpoint-operation.ts";
import { byStatus } from "../src/server/openapi/operation.ts";
import { inlineSchema } from "../src/server/openapi/schemas.ts";

type Json = Record<string, unknown>;

/** Returns docs/api.md, from the declarations that the server routes by. */
export function apiReference(endpoints: readonly Endpoint[]): string {
  const areas = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints)
    areas.set(areaOf(endpoint), [...(areas.get(areaOf(endpoint)) ?? []), endpoint]);
  const parts = [
    "# The API",
    "",
    "Generated from the endpoint declarations by `npm run docs`; the same declarations make `/openapi.json` and",
    "the reference at `/docs` of a running server.",
    "",
    "## What all have in common",
    "",
    "| | |",
    "|---|---|",
    "| Credential | `Authorization: Bearer …` or `X-API-Key: …`, each with an API key or an access token. Two that differ are refused with 400 |",
    "| Project | The header `X-Project-Id`; `default` unless given, or what the key is bound to. The first write to a project makes it |",
    "| Bodies | JSON in UTF-8 with `Content-Type: application/json`, not compressed; none where there is nothing to say. A member that no schema names is refused by name, in a query too |",
    "| Ids and names that clients choose | 1 to 256 characters, none of them a control character or a lone surrogate. They are trimmed |",
    "| Lists | `limit`, mostly 50 unless given and 200 at most (`/openapi.json` has the bounds of each); `nextCursor` in the answer is the `cursor` of the next page, and absent from the last |",
    "| `Idempotency-Key` | Of endpoints that honour it: 1 to 255 printable ASCII characters. For a day, a repeat with the same body gets the first answer, with `Idempotent-Replayed: true`, and has no effect. The same key with another body is 422. An answer of more than 256 KiB is not kept: its repeat is 409 |",
    "| Limits | Every response has `X-RateLimit-Limit`, `-Remaining`, `-Reset` (Unix time in seconds) and `-Policy` (`120;w=60`), of the window that has least left. `Remaining` is 0 when the plan's figure is used up; the burst may still let requests through. `RateLimit` and `RateLimit-Policy` have all windows. A 429 has `Retry-After` |",
    "| Errors | `application/problem+json`: branch on `error` ([problems.md](problems.md)) |",
    "| Support | `X-Request-Id` of each response is in the server's log |",
    "",
    "What an endpoint can answer with beside success depends on its kind; what is its own stands with it:",
    "",
    "| Endpoints | Problems by status |",
    "|---|---|",
    `| all | ${problemsText(ANYWHERE)} |`,
    `| that need a scope | ${problemsText(WITH_CREDENTIAL)} |`,
    `| with a body | ${problemsText(WITH_BODY)} |`,
    `| that honour \`Idempotency-Key\` | ${problemsText(WITH_KEY)} |`,
    `| that keep something | ${problemsText(WITH_STORING)} |`,
    "",
    "## Not listed here",
    "",
    "These are described in `/openapi.json` as well, with every form, answer and error, but follow standards or protocols of others:",
    "",
    "| | |",
    "|---|---|",
    "| OAuth and OpenID Connect | `/auth/device/code`, `/auth/device/token`, `/auth/token`, `/auth/par`, `/auth/register`, `/auth/revoke`, `/auth/introspect`, `/auth/userinfo`, `/.well-known/oauth-authorization-server`, `/.well-known/openid-configuration`, `/.well-known/oauth-protected-resource`, `/.well-known/jwks.json`, by RFC 6749, 7009, 7591, 7636, 7662, 8414, 8628, 8707, 9126, 9207, 9449 and 9728: [from a program without a browser](extending/sign-in.md#from-a-program-without-a-browser), [from an application](extending/sign-in.md), [a whole command line](extending/command-line.md). `/auth/authorize` is a page. `/auth/device/local` is [for `tool login` on the server's machine](decisions/0026-a-file-proves-who-runs-a-server.md) |",
    "| MCP | `/mcp` ([how](tools/mcp.md)), and `/mcp/{upstream}` for [a server behind this one](mcp.md) |",
    "| Errors, by Sentry's SDKs and sentry-cli | `/api/{number}/envelope/`, `/api/{number}/store/` and `/api/0/organizations/{organization}/…` ([how](tools/observability.md)) |",
    "| For operators | `/health`, `/ready`, `/metrics` ([what to watch](operations.md#what-to-watch)) |",
    "",
    "A client generated from that document is what there is instead of an SDK.",
    "",
  ];
  for (const [area, members] of areas) {
    parts.push(`## ${area}`, "", ...members.flatMap(sectionOf));
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

/** Returns docs/problems.md: the meaning of each `error`, and what to do about it. */
export function problemsReference(): string {
  const sections = Object.entries(PROBLEMS).map(
    ([error, { status, title, remedy }]) => `## ${error}\n\n${status}. ${title}.\n\n${remedy}\n`,
  );
  return [
    "# Problems",
    "",
    "Errors are `application/problem+json` (RFC 9457). Branch on `error`; `type` leads to a section of this page,",
    "`detail` says what is wrong in this case, and `instance` is the request id, also in `X-Request-Id`. Under",
    "`/auth` errors have the form of RFC 6749 §5.2 instead. Generated by `npm run docs`.",
    "",
    sections.join("\n"),
  ].join("\n");
}

function areaOf(endpoint: Endpoint): string {
  const segments = endpoint.path.replace("/api/v1/", "").split("/");
  return segments[0] === "tools" ? `tools/${segments[1]}` : (segments[0] as string);
}

/** Formats problems by status: `404 not_found, 409 conflict or invalid_state`. */
function problemsText(codes: readonly ProblemCode[]): string {
  return [...byStatus(codes)]
    .map(
      ([status, all]) => `${status} ${all.map((code) => `[\`${code}\`](problems.md#${code})`).join(" or ")}`,
    )
    .join(", ");
}

function otherAnswers({ method, otherwise = {}, formats = {}, etag }: Endpoint): string[] {
  const answers = [
    ...Object.entries(otherwise).map(([status, when]) => `Or ${status}: ${when}`),
    ...Object.entries(formats).map(([mediaType, asked]) => `Or as \`${mediaType}\`, asked for by ${asked}.`),
    ...(etag && method === "GET"
      ? ["Or 304: the client holds this answer already (`ETag`, `If-None-Match`)."]
      : []),
  ];
  return answers.length > 0 ? [answers.join(" "), ""] : [];
}

function sectionOf(endpoint: Endpoint): string[] {
  const input = inlineSchema(endpoint.input, "input");
  const rules = [...(typeof input.description === "string" ? [input.description] : []), ...rulesOf(endpoint)];
  const facts = [
    endpoint.scope === "public" ? "no credential" : `scope \`${endpoint.scope}\``,
    ...(endpoint.status ? [`answers ${endpoint.status}`] : []),
    ...(endpoint.idempotent ? ["honours `Idempotency-Key`"] : []),
    ...(endpoint.eventStream ? ["answers `text/event-stream`"] : []),
  ];
  return [
    `### ${endpoint.method} ${endpoint.path}`,
    "",
    `${endpoint.summary}. \`${endpoint.name}\`, ${facts.join(", ")}.`,
    "",
    ...(endpoint.description ? [endpoint.description.replace(/\s*\n\s*/g, " "), ""] : []),
    ...otherAnswers(endpoint),
    ...(endpoint.errors ? [`Own problems: ${problemsText(endpoint.errors)}.`, ""] : []),
    ...table("Takes", input),
    ...(rules.length > 0 ? [...rules.map((rule) => `- ${rule}`), ""] : []),
    ...(endpoint.status === 204 ? [] : table("Gives", inlineSchema(endpoint.output, "output"))),
  ];
}

function table(title: string, schema: Json): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) return [];
  const required = new Set((schema.required ?? []) as string[]);
  return [
    `| ${title} | Type | |`,
    "|---|---|---|",
    ...properties.map(
      ([name, member]) =>
        `| \`${name}\`${required.has(name) ? "" : "?"} | ${cell(typeOf(member))} | ${cell(descriptionOf(member))} |`,
    ),
    "",
  ];
}

/** Returns a description without the rule for ids, which the page states once at its beginning. */
function descriptionOf({ description = "" }: Json): string {
  return String(description)
    .replace(refinementRules.get(UserId)?.rule ?? "", "")
    .trim();
}

/** Formats a type as TypeScript would. Expands nested objects two levels deep. */
function typeOf(schema: Json, depth = 0): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" \\| ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (options) return [...new Set(options.map((option) => typeOf(option, depth)))].join(" \\| ");
  if (Array.isArray(schema.type)) return schema.type.join(" \\| ");
  if (schema.type === "array") {
    const item = typeOf((schema.items ?? {}) as Json, depth);
    return item.includes(" \\| ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === "object" || schema.properties) {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    if (properties.length === 0 || depth > 1) return "object";
    const required = new Set((schema.required ?? []) as string[]);
    return `{ ${properties.map(([name, member]) => `${name}${required.has(name) ? "" : "?"}: ${typeOf(member, depth + 1)}`).join("; ")} }`;
  }
  return (schema.type as string | undefined) ?? "any";
}

function cell(text: string): string {
  return text.replace(/(?<!\\)\|/g, "\\|").replace(/\s*\n\s*/g, " ");
}
