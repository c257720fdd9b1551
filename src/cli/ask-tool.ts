import { Option } from "commander";
import { SignedOut, Unreachable } from "../client/errors.ts";
import type { Route, RouteInput, RouteOutput } from "../client/routes.ts";
import { type Fault, Problem } from "../contract/problem.ts";
import { errorOf } from "../contract/refusal.ts";
import type { LocalRoute } from "../local/endpoints.ts";
import type { RepositoryFiles } from "../local/searching/searched-repository.ts";
import type { Context } from "./context.ts";
import { UntrustedServer } from "./trust/trust.ts";

export interface AskOptions {
  /** False runs the tool on this machine, even when signed in; nothing is sent or recorded. */
  record?: boolean;
  accept?: string;
  /** Members that servers of the previous version refuse; the request is repeated without them. */
  newer?: readonly string[];
  /** A repository whose files are searched too. They are never sent, so the tool runs on this machine. */
  repository?: RepositoryFiles;
  replayable?: boolean;
  signal?: AbortSignal;
}

export interface Asked<T> {
  answer: T;
  /** False if the tool ran on this machine, so that the server recorded nothing. */
  isRecorded: boolean;
}

/** Longer than any tool computes. */
export const COMPUTE_TIMEOUT_MS = 120_000;

/**
 * Calls a tool that works without a sign-in: on the server if the user is signed in, which keeps a history and counts
 * the use, otherwise by the same engine on this machine.
 */
export async function askTool<R extends LocalRoute & Route>(
  context: Context,
  route: R,
  input: RouteInput<R>,
  {
    record = true,
    accept,
    newer = [],
    repository,
    replayable,
    signal = context.io.interrupted,
  }: AskOptions = {},
): Promise<Asked<RouteOutput<R>>> {
  const { client, progress } = context;
  if (record && !repository && !context.trust.refusal()) {
    try {
      // Throws if not signed in, before any input is sent.
      await client.credential();
      const ask = (sent: RouteInput<R>) =>
        client.answer(route, sent, {
          signal,
          timeoutMs: COMPUTE_TIMEOUT_MS,
          replayable,
          headers: accept === undefined ? undefined : { Accept: accept },
        });
      const { body } = await ask(input).catch((error) => {
        const unknown = unknownAmong(newer, error);
        if (unknown.length === 0) throw error;
        progress.note(`The server is of an earlier version: asked without ${unknown.join(" and ")}.`);
        return ask(without(input, unknown));
      });
      return { answer: body, isRecorded: true };
    } catch (error) {
      const reason = whyAlone(error);
      if (reason === undefined) throw error;
      if (reason) progress.note(`${reason} Done on this machine, and not recorded.`);
    }
  }
  const { askLocally } = await import("../local/ask-locally.ts");
  const answer = await askLocally({ route, input, accept, repository }, signal);
  if ("refusal" in answer) throw errorOf(answer.refusal);
  return { answer: JSON.parse(answer.text), isRecorded: false };
}

/** Returns the option `--no-record` of the commands that use `askTool`. */
export function recordOption(): Option {
  return new Option("--no-record", "On this machine, whoever is signed in: nothing is sent or kept");
}

/** Returns the members of `newer` that the server rejects as unknown; none if it reports any other fault. */
function unknownAmong(newer: readonly string[], error: unknown): string[] {
  if (!(error instanceof Problem) || error.error !== "invalid_request") return [];
  const { errors = [] } = error.extras;
  const isUnknown = ({ path, message }: Fault) =>
    newer.includes(path) && message.startsWith("is not a known member");
  return errors.every(isUnknown) ? errors.map(({ path }) => path) : [];
}

function without<T>(input: T, members: readonly string[]): T {
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => !members.includes(name))) as T;
}

/**
 * Returns a sentence that says why the tool runs on this machine instead, empty if that needs no explanation.
 * Returns undefined if the user has to fix the error.
 */
function whyAlone(error: unknown): string | undefined {
  if (error instanceof UntrustedServer) return "";
  if (error instanceof Unreachable) return `${error.message}.`;
  if (!(error instanceof SignedOut) || error.reason === "environment") return undefined;
  return error.reason === "none" ? "" : error.message;
}
