import { planNameOf, planWithEnd } from "../../client/plan-names.ts";
import { defined } from "../../system/defined.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { relativeTime } from "../ui/format.ts";
import { fields } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command.addHelpText("after", examples("tool whoami", "tool whoami --json")).action(run(whoami));
};

const NO_STORE = "; no system secret store works here, and `tool doctor` says why";

async function whoami(context: Context): Promise<Outcome> {
  const { client, credentials, progress, clock, io } = context;
  const view = await progress.during("Asking the server", client.call("GET /api/v1/account", {}));
  const { account, plan, nextPlan, user, project, credential } = view;
  const [kept, stored] = await Promise.all([credentials.whereabouts(), client.credential()]);
  const renews = stored.refreshToken !== undefined;
  const expiry = credential.expiresAt
    ? `${relativeTime(credential.expiresAt, clock.now())}${renews ? "; renews by itself" : ""}`
    : "never";
  const keptIn =
    kept.kind === "file" ? `a file that only you can read${kept.reason ? NO_STORE : ""}` : kept.description;
  return {
    document: {
      baseUrl: client.baseUrl,
      account,
      plan,
      planName: planNameOf(view),
      ...defined({ nextPlan }),
      user,
      project,
      credential: { ...credential, renews },
      kept: { kind: kept.kind, description: kept.description },
    },
    lines: [
      `${io.out.style.bold(user.email)} on ${client.baseUrl}`,
      "",
      ...fields(
        [
          ["Account", account.name],
          ["Plan", planWithEnd(view)],
          ["Project", project.id],
          ["Scopes", credential.scopes.join(" ")],
          ["Expires", expiry],
          ["Kept in", keptIn],
        ],
        io.out,
      ),
      ...(kept.kind === "file" ? ["", io.out.style.dim(kept.path)] : []),
    ],
  };
}
