import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { enterWithQueue } from "./queue-of-account.ts";
import { revoke } from "./signed-in.ts";

export const define: Define = (command, run) => {
  command
    .addHelpText("after", examples("tool logout", "tool logout --base-url https://control.example.com"))
    .action(run(logout));
};

async function logout(context: Context): Promise<Outcome> {
  const { client, credentials, entitlements, progress, io } = context;
  if (credentials.fixed) {
    throw new UsageError(
      "The credential comes from TOOL_TOKEN; there is nothing to forget.",
      "Unset TOOL_TOKEN.",
    );
  }
  const stored = await credentials.read();
  if (!stored) {
    return {
      document: { status: "signed_out", baseUrl: client.baseUrl, revoked: false },
      lines: [`Not signed in to ${client.baseUrl}; nothing to do.`],
    };
  }
  // An API key may be in use elsewhere, so it is only deleted here; `tool keys revoke` revokes it.
  const revocable = stored.refreshToken;
  const revoked = revocable ? await progress.during("Revoking", revoke(context, revocable)) : false;
  const aside = await enterWithQueue(
    context,
    { baseUrl: client.baseUrl, account: undefined, before: stored.account },
    credentials.forgetAll,
  );
  await entitlements.forget();
  const consequence = revocable
    ? revoked
      ? "The token is revoked."
      : "The server was not reached: the token ends when it expires, or revoke the device there."
    : "The API key itself stays valid; revoke it with: tool keys revoke";
  const [other] = credentials.others();
  return {
    document: { status: "signed_out", baseUrl: client.baseUrl, revoked },
    lines: [
      `${io.out.marks.done} Signed out of ${client.baseUrl}. ${consequence}`,
      ...aside,
      ...(other ? [`Another account is still signed in: tool auth switch ${other.name}`] : []),
    ],
  };
}
