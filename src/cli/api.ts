import { Argument, Option } from "commander";
import type { Method } from "../contract/endpoint.ts";
import { type Define, examples, type Outcome } from "./command.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./exit-codes.ts";
import { InvalidArgumentError, pairs, typedPairs } from "./options.ts";
import { inputName, readText } from "./terminal/input.ts";
import { jsonText } from "./ui/terminal-text.ts";

const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface ApiOptions {
  field?: Record<string, unknown>;
  input?: string;
  header?: Record<string, string>;
  include?: boolean;
}

export const define: Define = (command, run) => {
  command
    .addArgument(new Argument("<method>", METHODS.join(", ")).argParser(method))
    .argument("<path>", "Such as /api/v1/account")
    .option(
      "-f, --field <name=value>",
      "A member of the query or the body; numbers, true, false, null and JSON are taken as such; repeatable",
      typedPairs,
    )
    .addOption(new Option("--input <file>", 'A body from a file, "-" for stdin').conflicts("field"))
    .option("-H, --header <name=value>", "A request header; repeatable", pairs)
    .option("-i, --include", "Print status and headers before the body")
    .addHelpText(
      "after",
      examples(
        "tool api GET /api/v1/agents",
        "tool api POST /api/v1/track -f type=api_calls -f count=3",
        "tool api POST /api/v1/tools/code-review --input review.json",
        "tool api GET /api/v1/usage -f granularity=hour --json",
      ),
    )
    .action(run(callApi));
};

async function callApi(
  context: Context,
  method: Method,
  path: string,
  options: ApiOptions,
): Promise<Outcome> {
  const { client, io, progress } = context;
  if (!path.startsWith("/")) throw new UsageError(`The path must begin with a slash: /${path}.`);
  const fields = options.field ?? {};
  const inQuery = method === "GET" || method === "DELETE";
  const body = options.input === undefined ? fields : await bodyFrom(context, options.input);
  const hasBody = !inQuery && (options.input !== undefined || options.field !== undefined);
  const answer = await progress.during(
    `${method} ${path}`,
    client.request(method, inQuery ? withQuery(path, fields) : path, {
      body: hasBody ? body : undefined,
      headers: {
        ...(hasBody && typeof body === "string" ? { "Content-Type": "application/json" } : {}),
        ...options.header,
      },
      signal: io.interrupted,
    }),
  );
  const head = options.include
    ? [
        answer.status,
        ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
        "",
        "",
      ].join("\n")
    : "";
  return {
    document: options.include ? answer : (answer.body ?? null),
    raw: head + bodyText(answer.body),
  };
}

function method(text: string): string {
  const upper = text.toUpperCase();
  if (METHODS.includes(upper)) return upper;
  throw new InvalidArgumentError(`It must be one of ${METHODS.join(", ")}.`);
}

async function bodyFrom({ io }: Context, file: string): Promise<string> {
  try {
    return await readText(io, file);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${inputName(file)} cannot be read: ${(cause as Error).message}.`);
  }
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  if (query.size === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

function bodyText(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : `${jsonText(body, 2)}\n`;
}
