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
 * The first write to a project makes it, so that a mistyped `--project` or `TOOL_PROJECT` would make one for ever. What a
 * settings file names was written down on purpose.
 */
export interface ProjectGuard {
  /** Asks where somebody sits there; throws `UsageError` unless the project is there, or is to be made. */
  ensure(): Promise<void>;
  /** As `ensure` where somebody sits there who can be asked; a script is held up by nothing, and by no server that is away. */
  askIfInDoubt(): Promise<void>;
  /** Before what only reads, and would be noted in the project: false where that would make it, which is said once. */
  isThere(): Promise<boolean>;
  /** For what speaks with another program on stdin, and goes on for long: any project will do. */
  waive(): void;
}

export interface ProjectGuardOptions {
  settings: () => Settings;
  client: () => ApiClient;
  io: Io;
  progress: Progress;
  /** `--create-project` */
  create: boolean;
  /** False: nobody is asked, whoever sits there. */
  mayAsk: boolean;
}

/** A server that does not say what projects there are holds nobody up: it decides about the write itself. */
const ONCE = { retry: false, timeoutMs: 1500 };
const MAX_LISTED = 2000;
const MAX_REMEMBERED = 500;

export function createProjectGuard({
  settings,
  client,
  io,
  progress,
  create,
  mayAsk,
}: ProjectGuardOptions): ProjectGuard {
  const canAsk = () => mayAsk && io.input.terminal && io.err.live;
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

  /** The project that may not be there: undefined where it is known to be, or was written down on purpose. */
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
      // It is looked up the next time too.
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
    const question = `${io.err.style.yellow(io.err.symbols.attention)} ${message}${near} Make it?`;
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
      // In this order: whether somebody sits there is known at the price of opening stdin.
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
  /** What names it. */
  place: string;
  /** Where it is written down which are there, and under what name. */
  directory: string;
  name: string;
  known: readonly string[];
}

function notThere({ id, place }: Doubt): string {
  return `There is no project ${id} yet, which ${place} names.`;
}

/** A question about similar names, after a space; empty where there are none. */
async function meant({ id }: Doubt, there: readonly string[]): Promise<string> {
  const { didYouMean } = await import("../../contract/near-names.ts");
  const question = didYouMean(id, there);
  return question && ` ${question}`;
}

/** Another version may have kept it otherwise. */
function idsIn(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}
