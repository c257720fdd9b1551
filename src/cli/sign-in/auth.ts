import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { type SignIn, signIns } from "../credentials/records.ts";
import { EXIT } from "../exit-codes.ts";
import { table } from "../ui/table.ts";
import type { RefreshOptions } from "./refresh.ts";

export const define: Define = (command, run) => {
  command
    .command("status")
    .description("Show every server and account that you are signed in to; asks no server.")
    .addHelpText("after", examples("tool auth status", "tool auth status --json"))
    .action(run(status));
  command
    .command("switch [accountOrServer]")
    .description("Switch to another server or account that you are signed in to.")
    .addHelpText(
      "after",
      `${examples(
        "tool auth switch                       # the other one, or a list to choose from",
        "tool auth switch Acme                  # an account, by its name or id",
        "tool auth switch control.example.com   # a server",
      )}

Events that wait to be sent stay with their account, and are sent once it is the current one again.`,
    )
    .action(
      run(async (context, name: string | undefined) =>
        (await import("./switch.ts")).switchSignIn(context, name),
      ),
    );
  command
    .command("refresh")
    .description("Sign in again, for more scopes or with the same.")
    .option("--scope <scopes>", "What to ask for beside what you have: read, write, admin, operator")
    .option("--no-browser", "Do not open a browser")
    .option("--code", "By a code in a browser, even if the server runs on this computer as you")
    .addHelpText("after", examples("tool auth refresh", "tool auth refresh --scope admin"))
    .action(
      run(async (context, options: RefreshOptions) =>
        (await import("./refresh.ts")).refresh(context, options),
      ),
    );
  command
    .command("token")
    .description("Print an access token for scripts, renewed if it is about to expire.")
    .addHelpText(
      "after",
      `${examples('TOOL_TOKEN="$(tool auth token)" node app.js', "TOOL_TOKEN=$(tool auth token) ./script.sh")}

An access token is good for an hour. For what runs longer, make a key: tool keys create.`,
    )
    .action(run(token));
};

async function status(context: Context): Promise<Outcome> {
  const { settings, credentials, io } = context;
  const { style, marks } = io.out;
  const baseUrl = settings.baseUrl.value;
  const all = signIns(settings.directories.data);
  const inForce = (each: SignIn) =>
    !credentials.fixed && each.current && !each.ended && each.baseUrl === baseUrl;
  const current = all.find(inForce);
  const here = all.filter((each) => each.baseUrl === baseUrl && !each.current);
  const signedIn = credentials.fixed || current !== undefined;
  return {
    document: {
      baseUrl,
      current: current?.account ?? null,
      others: here.flatMap(({ account }) => account ?? []),
      token: credentials.fixed ? "environment" : null,
      defaultServer: settings.defaultServer,
      items: all.map((each) => ({
        baseUrl: each.baseUrl,
        account: each.account ?? null,
        user: each.user ?? null,
        scopes: scopesOf(each) ?? null,
        inForce: inForce(each),
        ended: each.ended,
      })),
    },
    lines: [
      ...(credentials.fixed ? [`TOOL_TOKEN is set, and what every command uses with ${baseUrl}.`] : []),
      ...(signedIn ? [] : [`You are not signed in to ${baseUrl}: tool login`]),
      ...(all.length > 0 && !(signedIn && !credentials.fixed) ? [""] : []),
      ...(all.length > 0
        ? table(
            [
              { title: "" },
              { title: "Server" },
              { title: "Account", shrink: true },
              { title: "Scopes", shrink: true },
            ],
            all.map((each) => [
              inForce(each) ? marks.done : " ",
              each.baseUrl,
              each.account?.name ?? "",
              each.ended ? style.yellow("ended") : (scopesOf(each)?.join(" ") ?? "of a key"),
            ]),
            io.out,
          )
        : []),
      ...(all.length > 1 ? ["", style.dim("Go on with another: tool auth switch <server or account>")] : []),
    ],
    exitCode: signedIn ? EXIT.done : EXIT.signedOut,
  };
}

async function token({ client }: Context): Promise<Outcome> {
  const { accessToken, expiresAt } = await client.credential();
  return {
    document: {
      token: accessToken,
      baseUrl: client.baseUrl,
      expiresAt: expiresAt === undefined ? null : iso(expiresAt),
    },
    raw: `${accessToken}\n`,
  };
}

function scopesOf({ scope }: SignIn): string[] | undefined {
  return scope?.split(" ").filter((each) => each !== "");
}
