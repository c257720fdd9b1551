import { join } from "node:path";
import type { ApiClient } from "../../client/api-client.ts";
import { readJson, writeJson } from "../../client/private-files.ts";
import { fileNameOf } from "../../client/transport/base-url.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Io } from "../terminal/io.ts";
import type { Progress } from "../ui/progress.ts";
import { describeOrigin, type Settings } from "./settings.ts";

/**
 * The first write to a project makes it, so that a mistyped `--project` or `TOOL_PROJECT` would make one for ever. What a
 * settings file names was written down on purpose.
 */
export interface ProjectGuard {
  /** Whether somebody sits before a terminal who can be asked. */
  readonly canAsk: boolean;
  /** Asks where somebody sits there; throws `UsageError` unless the project is there, or is to be made. */
  ensure(): Promise<void>;
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
const MOST_LISTED = 2000;
const MOST_REMEMBERED = 500;

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

  async function settle(): Promise<void> {
    const { project, baseUrl, directories } = settings();
    const { value: id, origin } = project;
    if (id === undefined || id === "default" || (origin.kind !== "flag" && origin.kind !== "environment"))
      return;
    const directory = join(directories.cache, "projects");
    const name = `${fileNameOf(baseUrl.value)}.json`;
    const known = idsIn(readJson(directory, name));
    if (known.includes(id)) return;
    if (!create) {
      const there = await listed();
      if (there === undefined) return;
      if (!there.includes(id)) await refuseOrAsk(id, describeOrigin(origin), there);
    }
    try {
      writeJson(directory, name, [id, ...known].slice(0, MOST_REMEMBERED));
    } catch {
      // It is looked up the next time too.
    }
  }

  async function listed(): Promise<string[] | undefined> {
    try {
      const { items, nextCursor } = await collect(MOST_LISTED, (page) =>
        client().call("GET /api/v1/projects", { ...page, state: "all" }, ONCE),
      );
      return nextCursor === undefined ? items.map((each) => each.id) : undefined;
    } catch {
      return undefined;
    }
  }

  async function refuseOrAsk(id: string, place: string, there: readonly string[]): Promise<void> {
    const { nearNames } = await import("../../mcp/near-names.ts");
    const near = nearNames(id, there);
    const meant = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : "";
    const message = `There is no project ${id} yet, which ${place} names.`;
    if (!canAsk()) {
      throw new UsageError(
        message,
        `${meant.trimStart()}${meant && " "}To make it by writing to it, add --create-project.`,
      );
    }
    const question = `${io.err.style.yellow(io.err.symbols.attention)} ${message}${meant} Make it?`;
    if (await progress.pausedDuring(confirm(io, question))) return;
    throw new UsageError(`Nothing was written to ${id}.`, "See them all: `tool projects list`.");
  }

  return {
    get canAsk() {
      return canAsk();
    },
    async ensure() {
      settled ??= settle();
      await settled;
    },
    waive() {
      settled ??= Promise.resolve();
    },
  };
}

/** Another version may have kept it otherwise. */
function idsIn(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}
