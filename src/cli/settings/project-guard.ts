import { join } from "node:path";
import type { ApiClient } from "../../client/api-client.ts";
import { readJson, writeJson } from "../../client/private-files.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";
import type { Io } from "../terminal/io.ts";
import type { Progress } from "../ui/progress.ts";
import { describeOrigin, type Settings } from "./settings.ts";

/**
 * The first write to a project creates it, so a mistyped `--project` or `TOOL_PROJECT` would create one for good. This
 * guard checks that the project exists. A project from a settings file is taken as intended.
 */
export interface ProjectGuard {
  /** Asks the user about a missing project if possible. Throws `UsageError` unless it exists or is to be created. */
  ensure(): Promise<void>;
  /** Does as `ensure` if the user can be asked. Never delays a script, even if the server is unreachable. */
  askIfInDoubt(): Promise<void>;
  /** Whether a read may be recorded in the project. If that would create it, notes so once and returns false. */
  isThere(): Promise<boolean>;
  /** Turns the check off, for commands that keep speaking to another program on stdin. */
  waive(): void;
}

export interface ProjectGuardOptions {
  settings: () => Settings;
  client: () => ApiClient;
  io: Io;
  progress: Progress;
  /** Whether `--create-project` was given. */
  create: boolean;
  /** Whether the user can be asked. Opens stdin, so it is called last. */
  canAsk: () => boolean;
}

/** One short attempt: if the server does not list its projects, the write is sent without the check. */
const ONCE = { retry: false, timeoutMs: 1500 };
const MAX_LISTED = 2000;
const MAX_REMEMBERED = 500;

export function createProjectGuard({
  settings,
  client,
  io,
  progress,
  create,
  canAsk,
}: ProjectGuardOptions): ProjectGuard {
  let settled: Promise<void> | undefined;
  let found: Promise<boolean> | undefined;

  async function settle(): Promise<void> {
    const doubt = doubtful();
    if (!doubt) return;
    if (!create) {
      const there = await listed();
      if (there === undefined) return;
      if (!there.includes(doubt.id)) await refuseOrAsk(doubt, there);
    }
    remember(doubt);
  }

  async function find(): Promise<boolean> {
    const doubt = doubtful();
    if (!doubt || create) return true;
    const there = await listed();
    if (there === undefined) return true;
    if (there.includes(doubt.id)) remember(doubt);
    else progress.note(`${notThere(doubt)}${await meant(doubt, there)}`);
    return there.includes(doubt.id);
  }

  /** Returns the project if it may not exist; undefined if it is known to, or comes from a settings file. */
  function doubtful(): Doubt | undefined {
    const { project, baseUrl, directories } = settings();
    const { value: id, origin } = project;
    if (id === undefined || id === "default" || (origin.kind !== "flag" && origin.kind !== "environment"))
      return undefined;
    const directory = join(directories.cache, "projects");
    const name = `${fileNameOf(baseUrl.value)}.json`;
    const known = idsIn(readJson(directory, name));
    return known.includes(id) ? undefined : { id, place: describeOrigin(origin), directory, name, known };
  }

  function remember({ id, directory, name, known }: Doubt): void {
    try {
      writeJson(directory, name, [id, ...known].slice(0, MAX_REMEMBERED));
    } catch {
      // The project is looked up again the next time.
    }
  }

  async function listed(): Promise<string[] | undefined> {
    try {
      const { items, nextCursor } = await collect(MAX_LISTED, (page) =>
        client().call("GET /api/v1/projects", { ...page, state: "all" }, ONCE),
      );
      return nextCursor === undefined ? items.map((each) => each.id) : undefined;
    } catch {
      return undefined;
    }
  }

  async function refuseOrAsk(doubt: Doubt, there: readonly string[]): Promise<void> {
    const near = await meant(doubt, there);
    const message = notThere(doubt);
    if (!canAsk()) {
      throw new UsageError(
        message,
        `${near.trimStart()}${near && " "}To make it by writing to it, add --create-project.`,
      );
    }
    const question = `${io.err.marks.attention} ${message}${near} Make it?`;
    // Loaded here, since `node:readline` costs every other command milliseconds of start-up.
    const { confirm } = await import("../terminal/confirm.ts");
    if (await progress.pausedDuring(confirm(io, question))) return;
    throw new UsageError(`Nothing was written to ${doubt.id}.`, "See them all: `tool projects list`.");
  }

  return {
    async ensure() {
      settled ??= settle();
      await settled;
    },
    async askIfInDoubt() {
      if (!settled && doubtful() && canAsk()) settled = settle();
      await settled;
    },
    isThere() {
      found ??= settled ? Promise.resolve(true) : find();
      return found;
    },
    waive() {
      settled ??= Promise.resolve();
    },
  };
}

interface Doubt {
  id: string;
  /** The flag or variable that names it. */
  place: string;
  /** The directory of the file with the known projects; `name` is the file's name. */
  directory: string;
  name: string;
  known: readonly string[];
}

function notThere({ id, place }: Doubt): string {
  return `There is no project ${id} yet, which ${place} names.`;
}

/** Returns a question about similar names, after a space; empty if there are none. */
async function meant({ id }: Doubt, there: readonly string[]): Promise<string> {
  const { didYouMean } = await import("../../contract/near-names.ts");
  const question = didYouMean(id, there);
  return question && ` ${question}`;
}

/** Validates the file's content, since another version may have written it in another form. */
function idsIn(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}
