import { type Command, Option } from "commander";
import { SignedOut } from "../../client/errors.ts";
import { deviceLogin } from "../../client/sign-in/device-login.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { readText } from "../terminal/input.ts";
import { loginLines } from "../ui/login-lines.ts";
import type { LoginView } from "../ui/login-view.ts";
import { CLIENT_ID, signedIn } from "./signed-in.ts";

interface LoginOptions {
  scope: string;
  browser: boolean;
  web?: boolean;
  withToken?: boolean;
  start?: boolean;
  resume?: boolean;
}

export const define: Define = (command: Command, run) => {
  command
    .option("--scope <scopes>", "What to ask for: read, write, admin, operator", "read write")
    .option("--no-browser", "Do not open a browser")
    .addOption(
      new Option("--web", "Sign in through a browser on this computer, without a code").conflicts([
        "withToken",
        "start",
        "resume",
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
      examples(
        "tool login",
        'tool login --scope "read write admin" --no-browser',
        "tool login --web",
        "tool login --with-token < key.txt",
        "tool login --start --json    # for agents: show the code, go on with other work",
        "tool login --resume --json   # wait until it is approved or denied",
      ),
    )
    .action(run(login));
};

async function login(context: Context, options: LoginOptions): Promise<Outcome> {
  if (context.credentials.fixed) {
    throw new UsageError(
      "TOOL_TOKEN is set and goes before any sign-in.",
      "Unset it, then run `tool login`.",
    );
  }
  if (options.withToken) return withToken(context);
  await sayWhose(context);
  if (options.start) return (await import("./background-login.ts")).startLogin(context, options.scope);
  if (options.resume) return (await import("./background-login.ts")).resumeLogin(context);
  if (options.web) return (await import("./web.ts")).loginInBrowser(context, options);
  return withDevice(context, options);
}

/** Signing in gives a server nothing of the user's; what comes of it is the server's own. */
async function sayWhose({ trust, progress }: Context): Promise<void> {
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

async function withDevice(context: Context, options: LoginOptions): Promise<Outcome> {
  const { client, clock, io } = context;
  const states = deviceLogin({
    api: client,
    clock,
    clientId: CLIENT_ID,
    scope: options.scope,
    signal: io.interrupted,
  });
  const view = loginView(context);
  try {
    for await (const state of states) {
      (await view).show(state);
      if (state.kind === "approved") {
        (await view).end();
        return await signedIn(context, state.credential);
      }
      if (state.kind === "prompt" && options.browser) {
        void context.openBrowser(state.prompt.verificationUriComplete ?? state.prompt.verificationUri);
      }
    }
    throw new Error("The sign-in ended without an outcome.");
  } finally {
    (await view).end();
  }
}

/** Ink loads while the server is asked for the code. */
async function loginView({ io, clock, client }: Context): Promise<LoginView> {
  if (!io.err.live) return loginLines(io.err, client.baseUrl);
  const { tellLibrariesAboutColour } = await import("../terminal/io.ts");
  tellLibrariesAboutColour(io.err);
  const { loginFrames } = await import("../ui/login-frames.tsx");
  return loginFrames(io.err, client.baseUrl, clock);
}
