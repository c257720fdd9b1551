import { access, link, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, iso } from "../../system/clock.ts";
import { errorCode, OperationalError } from "../../system/operational-error.ts";
import {
  isThisProcess,
  type ProcessIdentity,
  stateOf,
  thisProcess,
} from "../../system/processes/process-identity.ts";
import { createRandom } from "../../system/random.ts";

interface Holder extends ProcessIdentity {
  /** ISO 8601. */
  since: string;
}

/** The data directory is open already, mostly in another process. */
export class DirectoryInUse extends OperationalError {
  /** `untouched`: the lock, where its holder no longer touches it, as in a copy of the directory that it owns. */
  constructor(directory: string, holder: Holder, untouched?: string) {
    const [who, remedy] = isThisProcess(holder)
      ? ["this process", "A data directory is open once: close() what has it open first."]
      : [
          `process ${holder.pid} on ${holder.host}`,
          "One process owns a data directory: stop that one first, or use PostgreSQL for several.",
        ];
    const copy = untouched && ` If this is a copy of that process's directory, delete ${untouched}.`;
    super(`${directory} is in use by ${who} since ${holder.since}. ${remedy}${copy ?? ""}`);
    this.name = "DirectoryInUse";
  }
}

export interface DirectoryLock {
  /**
   * Whether the last holder was given up because it was silent. It may only have been stopped, and go on with what it was
   * writing.
   */
  readonly afterSilence: boolean;
  /** Resolves if nobody had taken the directory over when it was called; rejects otherwise. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

const PATTERN = /^lock\.(\d+)$/;
const DRAFT = "lock_draft";
const HEARTBEAT_MS = 1000;
const SILENCE_MS = 5000;
const ATTEMPTS = 20;

/**
 * Locks a data directory for this process. The holder is the running process with the highest `lock.<n>`. A process
 * that takes over makes the next number, which only one can. It then checks again whether a slower process, judging by
 * an older state, did the same. A lock is only removed by its maker, or by the holder if its maker is dead: a slow rival
 * that gives up would otherwise remove a later lock of the same number.
 */
export async function lockDirectory(
  directory: string,
  clock: Clock,
  onLost: (error: Error) => void,
): Promise<DirectoryLock> {
  const holder: Holder = { ...thisProcess(), since: iso(clock.now()) };
  for (let attempt = 1; ; attempt++) {
    const number = ((await locksIn(directory)).at(-1) ?? 0) + 1;
    const { running: rival } = await survey(directory, number, clock);
    if (rival) throw new DirectoryInUse(directory, rival, await untouchedLock(directory, clock));
    const path = join(directory, `lock.${number}`);
    if (await create(path, holder, clock)) {
      const higher = (await locksIn(directory)).some((other) => other > number);
      const lower = higher ? undefined : await survey(directory, number, clock);
      if (lower && !lower.running) {
        await clearAway(directory, lower.dead);
        return hold(path, lower.afterSilence, clock, onLost);
      }
      await rm(path, { force: true });
      if (lower?.running && attempt === ATTEMPTS) throw new DirectoryInUse(directory, lower.running);
    }
    await clock.sleep(attempt + (process.pid % 20));
  }
}

function hold(
  path: string,
  afterSilence: boolean,
  clock: Clock,
  onLost: (error: Error) => void,
): DirectoryLock {
  let held = true;
  const isGone = (error: unknown) => held && errorCode(error) === "ENOENT";
  const lost = () =>
    new Error(`${path} is gone: another process took the store over, or the directory was moved or removed`);
  const stop = clock.every(HEARTBEAT_MS, () => {
    const now = clock.now() / 1000;
    utimes(path, now, now).catch((error) => {
      if (isGone(error)) onLost(lost());
    });
  });
  return {
    afterSilence,
    assertHeld: () =>
      access(path).catch((error) => {
        if (isGone(error)) throw lost();
      }),
    async release() {
      held = false;
      stop();
      await rm(path, { force: true });
    },
  };
}

/** Removes the locks of dead processes, and unfinished drafts of locks. */
async function clearAway(directory: string, dead: number[]): Promise<void> {
  const drafts = (await readdir(directory)).filter((name) => name.startsWith(DRAFT));
  for (const name of [...dead.map((number) => `lock.${number}`), ...drafts]) {
    await rm(join(directory, name), { force: true });
  }
}

/**
 * Returns the first running holder among the locks below `number`, and the locks of dead processes before it; of some
 * only their silence says that they are dead.
 */
async function survey(
  directory: string,
  number: number,
  clock: Clock,
): Promise<{ running?: Holder; dead: number[]; afterSilence: boolean }> {
  const dead: number[] = [];
  let afterSilence = false;
  for (const other of await locksIn(directory)) {
    if (other >= number) continue;
    const path = join(directory, `lock.${other}`);
    const holder = await readHolder(path);
    if (!holder) continue;
    if (holder === "nobody") {
      if (await isBeating(path, clock)) throw unreadable(path);
      afterSilence = true;
      dead.push(other);
      continue;
    }
    const state = stateOf(holder);
    if (state === "running" || (state === "unknown" && (await isBeating(path, clock)))) {
      return { running: holder, dead, afterSilence };
    }
    afterSilence ||= state === "unknown";
    dead.push(other);
  }
  return { dead, afterSilence };
}

/** Whether a holder whose process cannot be checked is alive: it touches its lock once a second. */
async function isBeating(path: string, clock: Clock): Promise<boolean> {
  const modified = () =>
    stat(path)
      .then(({ mtimeMs }) => mtimeMs)
      .catch(() => undefined);
  const before = await modified();
  await clock.sleep(SILENCE_MS);
  const after = await modified();
  return after !== undefined && after !== before;
}

/** Returns the last lock if nobody has touched it lately. A copy of a lock is read as if its holder ran here. */
async function untouchedLock(directory: string, clock: Clock): Promise<string | undefined> {
  const last = (await locksIn(directory)).at(-1);
  const path = join(directory, `lock.${last}`);
  const touched = await stat(path).catch(() => undefined);
  return touched && clock.now() - touched.mtimeMs > SILENCE_MS ? path : undefined;
}

async function locksIn(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  const numbers = names.flatMap((name) => PATTERN.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((left, right) => left - right);
}

/**
 * Returns the holder of a lock; undefined if the lock is gone. `"nobody"` if the file is empty, as a power failure
 * leaves the locks of programs that did not flush them.
 */
async function readHolder(path: string): Promise<Holder | "nobody" | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return text === "" ? "nobody" : JSON.parse(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause?: unknown): OperationalError {
  return new OperationalError(`${path} cannot be read: delete it if no process uses the directory`, {
    cause,
  });
}

/** Creates a lock atomically. Returns false if another process was faster. */
async function create(path: string, holder: Holder, clock: Clock): Promise<boolean> {
  const draft = join(dirname(path), createRandom(clock).id(DRAFT));
  try {
    // Flushed, so that the lock is not empty after a power failure.
    await writeFile(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600, flush: true });
    await link(draft, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" || code === "ENOENT") return false;
    // A write to a full disk does not say to which file.
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(draft, { force: true });
  }
}
