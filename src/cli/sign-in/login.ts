import { type Command, Option } from "commander";
import { SignedOut } from "../../client/errors.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { readText } from "../terminal/input.ts";
import { isCi } from "../terminal/io.ts";
import { Reported } from "../terminal/present.ts";
import { asDefaultServer } from "./default-server.ts";
import { refuseInVain, scopesHad, signInAnew } from "./sign-in-anew.ts";
import { signedIn } from "./signed-in.ts";

interface LoginOptions {
  scope?: string;
  browser: boolean;
  code?: boolean;
  web?: boolean;
  withToken?: boolean;
  start?: boolean;
  resume?: boolean;
}

export const define: Define = (command: Command, run) => {
  command
    .option(
      "--scope <scopes>",
      'What to ask for: read, write, admin, operator (default: what you had, or "read write")',
    )
    .option("--no-browser", "Do not open a browser")
    .option("--code", "By a code in a browser, even if the server runs on this computer as you")
    .addOption(
      new Option("--web", "Sign in through a browser on this computer, without a code").conflicts([
        "withToken",
        "start",
        "resume",
        "code",
      ]),
    )
    .addOption(new Option("--with-token", "Read an access token or an API key on stdin"))
    .addOption(
      new Option("--start", "Print the code and leave a process waiting for the approval").conflicts([
        "withToken",
        "resume",
      ]),
    )
    .addOption(new Option("--resume", "Wait for the outcome of --start").conflicts("withToken"))
    .addHelpText(
      "after",
      `${examples(
        "tool login",
        "tool login --base-url https://control.example.com",
        'tool login --scope "read write admin" --no-browser',
        "tool login --web",
        "tool login --with-token < key.txt",
        "tool login --start --json    # for agents: show the code, go on with other work",
        "tool login --resume --json   # wait until it is approved or denied",
      )}

From then on commands use the server that you sign in to, unless --base-url, TOOL_BASE_URL
or a .tool.json says otherwise. If it runs on this computer as you, Enter signs you in as its owner.`,
    )
    .action(run(login));
};

async function login(context: Context, options: LoginOptions): Promise<Outcome> {
  refuseInVain(context, "tool login");
  if (options.withToken) return asDefaultServer(context, await withToken(context));
  if (isCi(context.io.environment) && !options.start && !options.resume) throw nobodyThere();
  await confirmTrust(context);
  const outcome = await interactively(context, options);
  // After --start, nobody is signed in yet.
  return options.start ? outcome : asDefaultServer(context, outcome);
}

async function interactively(context: Context, options: LoginOptions): Promise<Outcome> {
  const { start, resume, web } = options;
  if (resume) return (await import("./background-login.ts")).resumeLogin(context);
  const scope = options.scope ?? (await scopesHad(context)) ?? "read write";
  if (start) return (await import("./background-login.ts")).startLogin(context, scope);
  if (web) return (await import("./web.ts")).loginInBrowser(context, { ...options, scope });
  return signInAnew(context, { ...options, scope });
}

/** Returns the error under CI, where nobody would approve the sign-in. */
function nobodyThere(): Reported {
  return new Reported({
    exitCode: EXIT.signedOut,
    error: "signed_out",
    message: "CI is set, and nobody approves a sign-in there.",
    next: "Set TOOL_TOKEN to an API key, which `tool keys create ci` makes; where somebody sits, run `CI= tool login`.",
  });
}

/** Asks for trust if the user can be asked. Otherwise only notes it: signing in sends the server no credential. */
async function confirmTrust({ trust, progress }: Context): Promise<void> {
  if (trust.canAsk) return trust.ensure();
  const refused = trust.refusal();
  if (!refused) return;
  const { file, server } = refused.projectServer;
  progress.note(`${file} names the server ${server}. Before it is used: tool config trust ${server}`);
}

async function withToken(context: Context): Promise<Outcome> {
  await context.trust.ensure();
  const token = (await readText(context.io, "-")).trim();
  if (token === "")
    throw new UsageError("There is no token on stdin.", "Give one: `tool login --with-token < file`.");
  try {
    return await signedIn(context, { accessToken: token });
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    const message = `${error.baseUrl} does not accept this token. Nothing was changed.`;
    throw new SignedOut(error.baseUrl, "refused", message, error.requestId);
  }
}
