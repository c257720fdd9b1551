import type { RouteOutput } from "../../../client/routes.ts";
import { shellWord } from "../../../system/processes/shell-word.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { byteSize, number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";

type Bundles = RouteOutput<"GET /api/v1/tools/observability/source-maps">["items"];

export async function list(
  context: Context,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Outcome> {
  const { client, io } = context;
  const found = await client.call("GET /api/v1/tools/observability/source-maps", { limit, cursor });
  const { items, nextCursor } = found;
  if (items.length === 0) return { document: found, lines: await howToUpload(context) };
  const { style } = io.out;
  const more = nextCursor === undefined ? [] : ["", style.dim(`More: the same with --cursor ${nextCursor}`)];
  return { document: found, lines: [...rowsOf(items, context), ...more] };
}

export async function remove({ client, io }: Context, bundleId: string): Promise<Outcome> {
  const deleted = await client.call("DELETE /api/v1/tools/observability/source-maps/{bundleId}", {
    bundleId,
  });
  return { document: deleted, lines: [`${io.out.marks.done} Deleted.`] };
}

async function howToUpload({ client, io, settings }: Context): Promise<string[]> {
  const { account } = await client.call("GET /api/v1/account", {});
  const { style } = io.out;
  const project = settings.project?.value ?? "default";
  return [
    "No source maps. With an API key that may write, stock sentry-cli uploads them:",
    "",
    ...[
      `export SENTRY_URL=${shellWord(settings.baseUrl.value)} SENTRY_ORG=${shellWord(account.id)} SENTRY_PROJECT=${shellWord(project)}`,
      "export SENTRY_AUTH_TOKEN=…",
      "sentry-cli sourcemaps inject dist && sentry-cli sourcemaps upload dist",
    ].map((line) => `  ${style.cyan(line)}`),
  ];
}

function rowsOf(items: Bundles, { clock, io }: Context): string[] {
  const columns = [
    { title: "Uploaded" },
    { title: "Release", shrink: true },
    { title: "Maps", align: "right" as const },
    { title: "Size", align: "right" as const },
    { title: "Id" },
  ];
  const rows = items.map(({ uploadedAt, release, maps, bytes: size, id }) => [
    relativeTime(uploadedAt, clock.now()),
    release ?? "",
    number(maps),
    byteSize(size),
    id,
  ]);
  return table(columns, rows, io.out);
}
