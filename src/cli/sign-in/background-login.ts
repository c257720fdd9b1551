import { spawn } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DevicePrompt, deviceLogin } from "../../client/sign-in/device-login.ts";
import { iso } from "../../system/clock.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { describeFailure, type Failure } from "../describe-failure.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { Reported } from "../terminal/present.ts";
import { serverFlag } from "./sign-in-hint.ts";
import { CLIENT_ID, currentSignIn, signedIn } from "./signed-in.ts";

/**
 * A sign-in in the background. A detached process requests the code and polls; the device code never leaves
 * its memory. That process and the commands `--start` and `--resume` share one file, which holds no secret.
 */
interface PendingLogin {
  id: string;
  baseUrl: string;
  processId: number;
  prompt: DevicePrompt;
  outcome?: { status: "approved" } | { status: "failed"; failure: Failure };
}

/** The one message that the detached process writes on stdout, before its parent stops reading. */
type FirstWord = { pending: PendingLogin } | { failure: Failure };

const LOOK_MS = 250;

/** Starts a sign-in in the background (`tool login --start`). */
export async function startLogin(context: Context, scope: string): Promise<Outcome> {
  const { io, settings } = context;
  const { origin, value } = settings.baseUrl;
  // It reads all other settings itself, and so knows whether a project names the server.
  const flags = origin.kind === "flag" ? ["--base-url", value] : [];
  const [executable, ...rest] = [...io.program, "_login", "--scope", scope, ...flags];
  const child = spawn(executable as string, rest, {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    cwd: io.workingDirectory,
    env: io.environment,
    windowsHide: true,
  });
  const word = await context.progress.during("Asking for a code", firstWord(child.stdout));
  child.stdout.destroy();
  child.unref();
  if ("failure" in word) throw new Reported(word.failure);
  const { prompt } = word.pending;
  const resume = `tool login --resume${serverFlag(context)}`;
  return {
    document: pendingDocument(word.pending, resume),
    lines: [
      `Open   ${io.out.style.cyan(prompt.verificationUri)}`,
      `Enter  ${io.out.style.bold(prompt.userCode)}`,
      ...(prompt.verificationUriComplete
        ? [`Or open ${io.out.style.cyan(prompt.verificationUriComplete)}`]
        : []),
      "",
      `A background process waits for the approval. Its outcome: ${resume}`,
    ],
  };
}

/** Waits for the outcome of a sign-in in the background (`tool login --resume`). */
export async function resumeLogin(context: Context): Promise<Outcome> {
  const { clock, io, progress, client } = context;
  const outcome = async (): Promise<PendingLogin["outcome"]> => {
    for (;;) {
      const pending = readPending(context);
      if (pending?.baseUrl !== client.baseUrl) {
        throw new UsageError(`No sign-in to ${client.baseUrl} was started.`, "Run `tool login --start`.");
      }
      if (pending.outcome) return pending.outcome;
      if (!io.isRunning(pending.processId)) {
        throw new UsageError(
          "The process that waited for the approval is gone.",
          "Run `tool login --start`.",
        );
      }
      await clock.sleep(LOOK_MS, io.interrupted);
    }
  };
  const decided = await progress.during("Waiting for approval", outcome());
  if (decided?.status === "failed") throw new Reported(decided.failure);
  return currentSignIn(context);
}

/** Runs the detached process: prints the code on stdout, then polls until the sign-in has an outcome. */
export async function runBackgroundLogin(context: Context, scope: string): Promise<number> {
  const { io, client, clock, random } = context;
  const say = (word: FirstWord) => io.out.json(word);
  let pending: PendingLogin | undefined;
  try {
    for await (const state of deviceLogin({ api: client, clock, clientId: CLIENT_ID, scope })) {
      if (state.kind === "prompt") {
        const asked = {
          id: random.id("login"),
          baseUrl: client.baseUrl,
          processId: io.processId,
          prompt: state.prompt,
        };
        writePending(context, asked);
        // Only now, so that a failure to write it is said.
        pending = asked;
        say({ pending });
      }
      // A later --start has replaced this sign-in.
      if (readPending(context)?.id !== pending?.id) return EXIT.done;
      if (state.kind === "approved") await signedIn(context, state.credential);
    }
    if (pending) writePending(context, { ...pending, outcome: { status: "approved" } });
    return EXIT.done;
  } catch (error) {
    const failure = describeFailure(error);
    if (pending) writePending(context, { ...pending, outcome: { status: "failed", failure } });
    else say({ failure });
    return failure.exitCode;
  }
}

function pendingDocument({ baseUrl, prompt }: PendingLogin, next: string) {
  return {
    status: "pending",
    baseUrl,
    userCode: prompt.userCode,
    verificationUri: prompt.verificationUri,
    verificationUriComplete: prompt.verificationUriComplete,
    expiresAt: iso(prompt.expiresAt),
    next,
  };
}

function firstWord(stream: NodeJS.ReadableStream): Promise<FirstWord> {
  return new Promise((resolve, reject) => {
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (piece: string) => {
      text += piece;
      if (text.includes("\n")) resolve(JSON.parse(text) as FirstWord);
    });
    stream.on("end", () => reject(new Error("The background process ended without a word.")));
  });
}

function pendingFile({ settings }: Context): string {
  return join(settings.directories.data, "login.json");
}

function readPending(context: Context): PendingLogin | undefined {
  try {
    return JSON.parse(readFileSync(pendingFile(context), "utf8")) as PendingLogin;
  } catch {
    return undefined;
  }
}

function writePending(context: Context, pending: PendingLogin): void {
  const file = pendingFile(context);
  makeDirectory(context.settings.directories.data, 0o700);
  writeFileSync(`${file}.${pending.id}`, JSON.stringify(pending), { mode: 0o600 });
  renameSync(`${file}.${pending.id}`, file);
}
