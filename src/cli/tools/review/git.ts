import { execFile } from "node:child_process";
import { remedyForShallow } from "../../../repository/changes.ts";
import { foreignRepository, USUAL_PATHS } from "../../../repository/files/list-files.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { MAX_DIFF_BYTES, tooMuch } from "./piped.ts";

/** What git says if it lacks a commit, which may be because of how it was cloned. */
const LACKS = /bad revision|no merge base/;
const PIPE_A_DIFF = "Without --staged, files are reviewed as they are; or pipe a diff in: … | tool review -";

/** Thrown if git is not installed or there is no repository. */
export class NoRepository extends UsageError {}

interface How {
  /** The index to use, instead of the repository's. */
  index?: string;
  /** Its standard input. */
  input?: string;
  /** Whether to return each byte as one character. */
  asBytes?: boolean;
  /** Whether what a partial clone lacks is not fetched from elsewhere. */
  isLocal?: boolean;
  /** Ends it. */
  until?: AbortSignal;
}

export type Git = (words: readonly string[], how?: How) => Promise<string>;

/**
 * Returns a function that runs git. It throws git's errors as `UsageError`, or as `OperationalError` where no other
 * words help.
 *
 * @param place where GIT_DIR or GIT_WORK_TREE leads, which git would read anew in each folder that it is sent to
 */
export function gitIn({ io }: Context, place?: { GIT_DIR: string; GIT_WORK_TREE: string }): Git {
  return (words, { index, input, asBytes, isLocal, until } = {}) =>
    new Promise((done, failed) => {
      const env = {
        ...io.environment,
        ...USUAL_PATHS,
        GIT_OPTIONAL_LOCKS: "0",
        LC_ALL: "C",
        ...place,
        ...(index && { GIT_INDEX_FILE: index }),
        ...(isLocal && { GIT_NO_LAZY_FETCH: "1" }),
      };
      const options = {
        cwd: io.workingDirectory,
        env,
        maxBuffer: MAX_DIFF_BYTES,
        signal: until ? AbortSignal.any([io.interrupted, until]) : io.interrupted,
        encoding: asBytes ? ("latin1" as const) : ("utf8" as const),
      };
      const child = execFile("git", words as string[], options, async (error, stdout, stderr) => {
        if (!error) return done(stdout);
        const fault = faultOf(error, stderr);
        const remedy = LACKS.test(stderr)
          ? await remedyForShallow(io.workingDirectory, io.interrupted)
          : undefined;
        failed(remedy === undefined ? fault : new UsageError(fault.message, remedy));
      });
      // It may end before it has read everything.
      child.stdin?.on("error", () => {}).end(input);
    });
}

function faultOf(error: Error & { code?: unknown }, stderr: string): Error {
  if (error.code === "ENOENT") return new NoRepository("git is not installed.", PIPE_A_DIFF);
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return tooMuch();
  if (error.name === "AbortError") return error;
  const said = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trim();
  if (/not a git repository/.test(said)) {
    return new NoRepository("There is no git repository here.", PIPE_A_DIFF);
  }
  if (/must be run in a work tree/.test(said)) {
    return new OperationalError(
      "This folder holds git's own files, and no work tree. Start it in a work tree of that repository, or pipe a diff in: git show HEAD | tool review -",
    );
  }
  const rev = /^bad revision '(.*)'$/.exec(said)?.[1];
  if (rev !== undefined) {
    return new UsageError(`"${rev}" is no revision, and no file or folder here.`);
  }
  return foreignRepository(stderr) ?? new UsageError(`git says: ${said.replace(/[.\s]{0,4}$/, "")}.`);
}
