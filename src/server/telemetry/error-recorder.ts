import type { AlertSink } from "../../alerts/alert.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, projectSpace, type Space, type Store, StoreUnavailable } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import type { Log } from "../../system/log.ts";
import { othersFirst } from "../../system/others-first.ts";
import { raiseGroupAlert } from "../../tools/observability/group-alert.ts";
import { type Occurrence, occurrenceOf } from "../../tools/observability/occurrence.ts";
import { record } from "../../tools/observability/record.ts";
import type { Project } from "../../tools/observability/reports.ts";
import { toldByThrown } from "../../tools/observability/thrown.ts";
import { projectOf } from "../operations/request-caller.ts";
import { type Exchange, traceIdOf } from "../pipeline/exchange.ts";

/** Records the server's own errors, which are also logged, so that `observability/errors` shows them. */
export interface ErrorRecorder {
  /** Notes an error. Does not delay the request and never throws. */
  note(error: unknown, exchange: Exchange): void;
  /** Writes what is left, if the store takes it within a second. */
  close(): Promise<void>;
}

interface Noted {
  error: unknown;
  exchange: Exchange;
  at: number;
}

interface Waiting {
  project: Project | undefined;
  occurrence: Occurrence;
}

/** Bounds on the errors not yet gathered, and on the groups not yet written because the store is unavailable. */
const MAX_NOTED = 1000;
const MAX_WAITING = 1000;
const RETRY_MS = 1000;
const CLOSE_MS = 1000;

export function createErrorRecorder(ports: {
  store: Store;
  clock: Clock;
  log: Log;
  getOrCreateProject: (accountId: string, projectId: string) => Promise<void>;
  raise: AlertSink["raiseIn"];
}): ErrorRecorder {
  const { store, clock, log, getOrCreateProject, raise } = ports;
  const noted: Noted[] = [];
  /** Groups by space and fingerprint. */
  const waiting = new Map<string, Waiting>();
  const closing = new AbortController();
  let dropped = 0;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (noted.length > 0 || waiting.size > 0) {
      await othersFirst();
      const next = noted.shift();
      if (next) gatherSafely(next);
      else if (!(await write())) {
        if (closing.signal.aborted) return;
        await clock.sleep(RETRY_MS, closing.signal).catch(() => {});
      }
    }
  }

  /** Gathers an error and catches whatever that throws: any value can be thrown, with any properties. */
  function gatherSafely(next: Noted): void {
    try {
      gather(next);
    } catch (err) {
      log.error({ err }, "an error could not be recorded");
    }
  }

  function gather({ error, at, exchange }: Noted): void {
    const route = `${exchange.req.method} ${exchange.template ?? exchange.endpoint}`;
    const occurrence = occurrenceOf(toldByThrown(error, { at, route, traceId: traceIdOf(exchange) }));
    const accountId = exchange.identity?.account.id;
    const projectId = projectOf(exchange);
    const project = accountId !== undefined && projectId !== undefined ? { accountId, projectId } : undefined;
    const key = `${project?.accountId}/${project?.projectId}/${occurrence.fingerprint}`;
    const before = waiting.get(key)?.occurrence;
    if (!before && waiting.size >= MAX_WAITING) dropped++;
    else {
      const count = (before?.count ?? 0) + 1;
      const firstAt = before?.firstAt ?? at;
      waiting.set(key, { project, occurrence: { ...occurrence, count, firstAt } });
    }
  }

  /** Writes each waiting group in a transaction of its own. Returns false if the store is unavailable. */
  async function write(): Promise<boolean> {
    for (const [key, { project, occurrence }] of waiting) {
      try {
        const space = await spaceOf(project);
        await store.transact(async (tx) => {
          const turn = await record(tx, space, occurrence);
          if (turn && project && space !== GLOBAL) await raiseGroupAlert(raise, tx, project, turn);
        });
      } catch (err) {
        if (err instanceof StoreUnavailable) return false;
        log.error({ err }, "an error could not be recorded");
      }
      waiting.delete(key);
    }
    if (dropped > 0) log.warn({ dropped }, "errors were logged and not recorded: too many at once");
    dropped = 0;
    return true;
  }

  /**
   * Returns the space to record an error in. Errors without a project, or whose project the account has no room for,
   * go to the global one, for operators.
   */
  async function spaceOf(project: Project | undefined): Promise<Space> {
    if (!project) return GLOBAL;
    try {
      await getOrCreateProject(project.accountId, project.projectId);
      return projectSpace(project.accountId, project.projectId);
    } catch (error) {
      if (error instanceof Problem) return GLOBAL;
      throw error;
    }
  }

  return {
    note(error, exchange) {
      if (noted.length >= MAX_NOTED) dropped++;
      else noted.push({ error, exchange, at: clock.now() });
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    async close() {
      closing.abort();
      if (running) await inTime(running, { clock, ms: CLOSE_MS, late: () => undefined });
      if (waiting.size + noted.length > 0) {
        log.warn({ errors: waiting.size + noted.length }, "errors were logged and not recorded");
      }
    },
  };
}
