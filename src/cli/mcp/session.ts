import { SignedOut } from "../../client/errors.ts";
import { SCOPES, type Scope } from "../../contract/caller.ts";
import type { Outcome } from "../../mcp/outcome.ts";
import type { Call } from "../../mcp/tool-calls.ts";
import { iso } from "../../system/clock.ts";
import type { Context } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { answerCall, failureOf } from "./calls.ts";
import { answerInRepository } from "./repository-calls.ts";
import { askFor, createSessionSignIn } from "./session-sign-in.ts";

const SCOPE = "read write";

/** Runs `tool mcp`: one session on stdin and stdout, with the stored credential or TOOL_TOKEN. */
export async function serveSession(context: Context, options: { tools?: string }): Promise<number> {
  const { io, client, clock, credentials, progress, trust } = context;
  context.projectGuard.waive();
  // Asked now, since later each line on stdin is a message. Without a terminal, each call fails with what to do.
  if (trust.canAsk) await trust.ensure();
  const [{ chooseTools, describeUnknown }, { openStdio }, { signInTool }, { repositoryTools }] =
    await Promise.all([
      import("../../mcp/choice.ts"),
      import("../../mcp/stdio.ts"),
      import("../../mcp/sign-in-tool.ts"),
      import("../../mcp/repository-tools.ts"),
    ]);
  const choice = chooseTools(options.tools, { additional: repositoryTools });
  if ("unknown" in choice) {
    throw new UsageError(describeUnknown(choice.unknown), "All of them: `tool mcp --tools all`.");
  }
  let known: { accessToken: string; scopes: readonly Scope[] } | undefined;
  let signedOut: boolean | undefined;

  const signIn = createSessionSignIn(context, { scope: SCOPE, onSignedIn: () => setSignedOut(false) });
  const session = openStdio({
    // With TOOL_TOKEN there is nothing to sign in to.
    tools: credentials.fixed ? choice.tools : [signInTool, ...choice.tools],
    isListed: (tool) => tool !== signInTool || signedOut === true,
    scopes,
    call,
    every: (ms, work) => clock.every(ms, work),
    input: io.input.stream,
    output: io.out.jsonStream,
    interrupted: io.interrupted,
    onFault: (message) => progress.note(message),
  });
  if (io.input.terminal) {
    progress.note("This speaks MCP on stdin and stdout. For an editor: `tool mcp config`. Ctrl-D ends it.");
  }
  await session.ended;
  signIn.end();
  return EXIT.done;

  function setSignedOut(now: boolean): void {
    const changed = signedOut !== undefined && signedOut !== now;
    signedOut = now;
    if (changed) session.toolsChanged();
  }

  /** Returns the credential's scopes, or undefined if they cannot be determined; all tools are listed then. */
  async function scopes(): Promise<readonly Scope[] | undefined> {
    try {
      const { accessToken, scope } = await client.credential();
      if (known?.accessToken !== accessToken) {
        const granted = scope?.split(" ") ?? (await client.call("GET /api/v1/account", {})).credential.scopes;
        known = { accessToken, scopes: SCOPES.filter((each) => granted.includes(each)) };
      }
      setSignedOut(false);
      return known.scopes;
    } catch (error) {
      if (error instanceof SignedOut && !credentials.fixed) setSignedOut(true);
      return undefined;
    }
  }

  async function call(request: Call): Promise<Outcome> {
    try {
      if (request.tool === signInTool) return await describeSignIn();
      if (repositoryTools.includes(request.tool)) return await answerInRepository(context, request);
      return await answerCall(context, request);
    } catch (error) {
      if (!(error instanceof SignedOut) || credentials.fixed || error.reason === "locked") {
        return { failure: failureOf(error) };
      }
      setSignedOut(true);
      return { failure: await notSignedIn(error) };
    }
  }

  async function notSignedIn(cause: SignedOut) {
    try {
      return { error: "signed_out", message: cause.message, next: askFor(await signIn.prompt()) };
    } catch (error) {
      return failureOf(error);
    }
  }

  async function describeSignIn(): Promise<Outcome> {
    if ((await scopes()) || !signedOut) {
      const { account, user } = await client.call("GET /api/v1/account", {});
      const next = `Signed in as ${user.email} (account ${account.name}). Nothing is left to do.`;
      return { text: JSON.stringify({ status: "signed_in", next }) };
    }
    const prompt = await signIn.prompt();
    const expiresAt = iso(prompt.expiresAt);
    return { text: JSON.stringify({ status: "pending", ...prompt, expiresAt, next: askFor(prompt) }) };
  }
}
