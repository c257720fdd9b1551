import { untilAborted } from "../../../system/abort.ts";
import type { Clock } from "../../../system/clock.ts";
import type { Log } from "../../../system/log.ts";
import { MIGRATIONS } from "../schema/migrations.ts";
import { SCHEMA } from "../schema/schema-name.ts";
import { checkVersion, ProgramOutdated, versionOf } from "../schema/schema-version.ts";
import type { DocumentKey } from "../writes.ts";
import { connect, type Statement } from "./connections.ts";
import { messageOf } from "./errors.ts";
import type { Hosts } from "./hosts.ts";
import { appear, DISAPPEAR } from "./presence.ts";

/** Below PostgreSQL's limit for a payload, 8000 bytes. */
const MAX_PAYLOAD_LENGTH = 7900;

/**
 * Notifies every instance, at the commit, of the documents written. Too many keys are replaced by a payload for all
 * documents.
 */
export function announcement(keys: readonly DocumentKey[]): Statement {
  const payload = JSON.stringify(keys.map(({ collection, space, id }) => [collection, space, id]));
  const fits = Buffer.byteLength(payload) <= MAX_PAYLOAD_LENGTH;
  return { name: "announce", text: "SELECT pg_notify($1, $2)", values: [SCHEMA, fits ? payload : ""] };
}

/**
 * Returns the documents that a payload names. Undefined for all documents, and for the payload of another program, since
 * whoever may connect to the database may notify.
 */
function keysIn(payload: string): DocumentKey[] | undefined {
  if (payload === "") return undefined;
  try {
    return JSON.parse(payload).map(([collection, space, id]: string[]) => ({ collection, space, id }));
  } catch {
    return undefined;
  }
}

const BEAT_MS = 250;
/** Below the second within which every instance must learn of a write. */
const TRUSTED_MS = 900;
const MAX_PAUSE_MS = 2000;

export interface Listener {
  /** Whether notifications of everything committed 0.9 s ago have been received. */
  isCurrent(): boolean;
  /** Resolves when it is listening, or when the first attempt failed. */
  begun: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Receives notifications of writes on a dedicated connection. The server sends notifications before the answer to any
 * later query, so each answer proves that all were received up to the time of its query. Without a recent proof,
 * nothing in memory is trusted: the network may be broken, or the process may have been suspended.
 */
export function startListener({
  hosts,
  opening,
  fills,
  clock,
  log,
  onHeard,
  onWritten,
  onGap,
  terminate,
}: {
  hosts: Hosts;
  /** Identifies the listener. Others see it as present while it listens. */
  opening: string;
  /** See `StoreOptions`. */
  fills?: boolean | undefined;
  clock: Clock;
  log: Log;
  /** Called when the database answers. */
  onHeard: () => void;
  onWritten: (keys: DocumentKey[]) => void;
  /** Called when notifications may have been missed: nothing read before is valid. */
  onGap: () => void;
  /** Called when a later program has removed what this one uses. */
  terminate: (error: ProgramOutdated) => void;
}): Listener {
  const stopping = new AbortController();
  // Once: Node warns of a leak from the eleventh connection on that waits for the signal by itself.
  const stopped = untilAborted(stopping.signal);
  let provenAt = Number.NEGATIVE_INFINITY;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = run();

  async function run(): Promise<void> {
    for (let pause = BEAT_MS; !stopping.signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        await listen(() => {
          pause = BEAT_MS;
          begin();
        });
      } catch (error) {
        if (error instanceof ProgramOutdated) {
          begin();
          return terminate(error);
        }
        log.warn(
          { cause: messageOf(error) },
          "nothing is answered from memory until the database is heard again",
        );
        begin();
      }
      await clock.sleep(pause, stopping.signal).catch(() => {});
    }
  }

  /** Resolves when stopped, rejects when the connection is lost. */
  async function listen(onListening: () => void): Promise<void> {
    const client = await connect(hosts);
    const lost = new Promise<never>((_, reject) => {
      client.on("error", reject);
      client.on("end", () => reject(new Error("the connection was closed")));
    });
    lost.catch(() => {});
    client.on("notification", ({ payload }) => hear(payload ?? ""));
    let connected = true;
    let stopBeating = () => {};
    const prove = async () => {
      const asked = clock.monotonic();
      await client.query("SELECT 1");
      if (connected) provenAt = asked;
      onHeard();
    };
    try {
      await client.query(`LISTEN ${SCHEMA}`);
      await client.query(appear(opening, MIGRATIONS.length));
      // From here on no program removes what this one uses. One may have done so before, or while there was no
      // connection.
      const version = await versionOf(client);
      if (version) checkVersion(version, { fills });
      onGap();
      await prove();
      onListening();
      stopBeating = clock.every(BEAT_MS, () => prove().catch(() => {}));
      await Promise.race([lost, stopped]);
      stopBeating();
      await client.query(DISAPPEAR);
    } finally {
      connected = false;
      provenAt = Number.NEGATIVE_INFINITY;
      stopBeating();
      client.end().catch(() => {});
    }
  }

  function hear(payload: string): void {
    const keys = keysIn(payload);
    if (keys) onWritten(keys);
    else onGap();
  }

  return {
    isCurrent: () => clock.monotonic() - provenAt < TRUSTED_MS,
    begun,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
