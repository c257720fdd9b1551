import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { signIns } from "../credentials/records.ts";
import { DEFAULT_BASE_URL, userDirectories, writeSetting } from "../settings/settings.ts";

/**
 * Makes the server that the user has just signed in to the default one, and adds a line about it to the outcome.
 * A server from a project's file is left to that project.
 */
export function asDefaultServer({ settings, io }: Context, outcome: Outcome): Outcome {
  const { baseUrl, defaultServer, directories } = settings;
  const document = { ...(outcome.document as object), defaultServer: baseUrl.value };
  if (baseUrl.value === defaultServer || baseUrl.origin.kind === "project") {
    return { ...outcome, document: { ...document, defaultServer } };
  }
  writeSetting(userDirectories(), "baseUrl", baseUrl.value);
  const back = wayBackTo(defaultServer, directories.data);
  return {
    ...outcome,
    document,
    lines: [
      ...(outcome.lines ?? []),
      `  ${io.out.style.bold(baseUrl.value)} is now your default server.`,
      ...(back === undefined ? [] : [`  ${io.out.style.dim(`Back to the one before: ${back}`)}`]),
    ],
  };
}

/** Returns the command to switch back, unless the previous server was the built-in default without a sign-in. */
function wayBackTo(server: string, dataDirectory: string): string | undefined {
  if (signIns(dataDirectory).some(({ baseUrl }) => baseUrl === server))
    return `tool auth switch ${new URL(server).host}`;
  return server === DEFAULT_BASE_URL ? undefined : `tool config set baseUrl ${server}`;
}
