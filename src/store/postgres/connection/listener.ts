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

/** What PostgreSQL takes as a payload is shorter than 8000 bytes. */
const MAX_PAYLOAD_LENGTH = 7900;

/** Tells every instance, in the moment of the commit, that these were written; too many: that anything was. */
export function announcement(keys: readonly DocumentKey[]): Statement {
  const payload = JSON.stringify(keys.map(({ collection, space, id }) => [collection, space, id]));
  const fits = Buffer.byteLength(payload) <= MAX_PAYLOAD_LENGTH;
  return { name: "announce", text: "SELECT pg_notify($1, $2)", values: [SCHEMA, fits ? payload : ""] };
}

const BEAT_MS = 250;
/** Below the second within which everybody is to hear of a write. */
const TRUSTED_MS = 900;
const MAX_PAUSE_MS = 2000;

export interface Listener {
  /** Whether everything that was committed 0.9 s ago has been heard of. */
  isCurrent(): boolean;
  /** Resolves when it listens, or could not the first time. */
  begun: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Hears of writes on a connection of its own. Notifications come before the answer to whatever is asked
 * behind them, so every answer proves that all was heard up to the moment of asking; without a fresh
 * proof, be it for a broken network or a process that was suspended, nothing in memory is trusted.
 */
export function startListener({
  hosts,
  opening,
  clock,
  log,
  onHeard,
  onWritten,
  onGap,
  terminate,
}: {
  hosts: Hosts;
  /** Who listens: as long as it does, others see that it is there. */
  opening: string;
  clock: Clock;
  log: Log;
  /** The database answers. */
  onHeard: () => void;
  onWritten: (keys: DocumentKey[]) => void;
  /** Something may have been missed: nothing that was read before this holds. */
  onGap: () => void;
  /** Meanwhile a later program has taken away what this one uses. */
  terminate: (error: ProgramOutdated) => void;
}): Listener {
  const stopping = new AbortController();
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

  /** Resolves when it is told to stop, rejects when the connection is lost. */
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
      // From now on nobody takes away what this program uses. Before, or while no connection was there, somebody may have.
      const version = await versionOf(client);
      if (version) checkVersion(version);
      onGap();
      await prove();
      onListening();
      stopBeating = clock.every(BEAT_MS, () => prove().catch(() => {}));
      await Promise.race([lost, aborted(stopping.signal)]);
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
    if (payload === "") onGap();
    else
      onWritten(JSON.parse(payload).map(([collection, space, id]: string[]) => ({ collection, space, id })));
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
