import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { signIns } from "../credentials/records.ts";
import { userDirectories, writeSetting } from "../settings/settings.ts";

/**
 * Has commands speak to the server that somebody has just signed in to, where nothing else names one, and says
 * so. A server that only a project's file names stays that project's.
 */
export function asDefaultServer({ settings, io }: Context, outcome: Outcome): Outcome {
  const { baseUrl, defaultServer, directories } = settings;
  const document = { ...(outcome.document as object), defaultServer: baseUrl.value };
  if (baseUrl.value === defaultServer || baseUrl.origin.kind === "project") {
    return { ...outcome, document: { ...document, defaultServer } };
  }
  writeSetting(userDirectories(), "baseUrl", baseUrl.value);
  const before = signIns(directories.data).some((signIn) => signIn.baseUrl === defaultServer);
  const back = before
    ? `tool auth switch ${new URL(defaultServer).host}`
    : `tool config set baseUrl ${defaultServer}`;
  return {
    ...outcome,
    document,
    lines: [
      ...(outcome.lines ?? []),
      `  ${io.out.style.bold(baseUrl.value)} is now your default server.`,
      `  ${io.out.style.dim(`Back to the one before: ${back}`)}`,
    ],
  };
}
