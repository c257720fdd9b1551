import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { count } from "../../ui/format.ts";
import { authorOf, keepCopy } from "./local-copy.ts";
import { readText, sessionPath } from "./local-files.ts";
import { roles } from "./roles.ts";

export interface StartOptions {
  with: string[];
  as?: string;
  title?: string;
}

export async function start(context: Context, given: string[], options: StartOptions): Promise<Outcome> {
  const { client, io } = context;
  const author = authorOf(context, options.as);
  const paths = [...new Set(given.map((file) => sessionPath(context, file)))];
  const files = await Promise.all(
    paths.map(async (path) => ({ path, content: await readText(context, path) })),
  );
  const started = await client.call("POST /api/v1/tools/pair/session", {
    title: options.title,
    participants: [
      { id: author, role: "driver" },
      ...options.with.map((id) => ({ id, role: "navigator" as const })),
    ],
    files,
  });
  const { id } = started.session;
  const bases = files.map(({ path, content }) => [path, { revision: 0, content }] as const);
  keepCopy(context, id, { author, files: Object.fromEntries(bases) });
  const { style, marks } = io.out;
  const characters = files.reduce((sum, { content }) => sum + content.length, 0);
  return {
    document: started,
    lines: [
      `${marks.done} Session ${style.bold(id)} started: ${roles(started.session, io.out)}`,
      style.dim(`  ${count(files.length, "file")}, ${count(characters, "character")}`),
      "",
      `Follow it       ${style.cyan(`tool pair watch ${id}`)}`,
      `Get the files   ${style.cyan(`tool pair show ${id} --write`)}`,
      `Send changes    ${style.cyan(`tool pair change ${id} ${paths[0] ?? "<file>"}`)}`,
    ],
  };
}
