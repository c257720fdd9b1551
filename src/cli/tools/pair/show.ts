import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { sessionPath } from "./local-files.ts";
import { sessionLines } from "./session-lines.ts";
import { writeFiles } from "./write-files.ts";

export interface ShowOptions {
  write?: boolean;
  force?: boolean;
}

export async function show(
  context: Context,
  sessionId: string,
  file: string | undefined,
  { write, force }: ShowOptions,
): Promise<Outcome> {
  const { client } = context;
  const path = file === undefined ? undefined : sessionPath(context, file);
  const view = await client.call("GET /api/v1/tools/pair/session/{sessionId}", { sessionId, path });
  if (write) return writeFiles(context, view, force === true);
  const [only] = view.files;
  if (path !== undefined && only) return { document: view, raw: only.content };
  return { document: view, lines: sessionLines(view, context) };
}
