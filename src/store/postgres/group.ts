import type { CountsRange, Space } from "../store.ts";
import { advisoryLockKeys, countersLock, documentsLock } from "./advisory-locks.ts";
import { AGAIN } from "./attempt.ts";
import type { Session } from "./connection/session.ts";
import { createSource, type Source } from "./connection/source.ts";
import type { Footprint } from "./footprint.ts";
import type { Row } from "./lookups.ts";
import { type Collections, deleteCounters, writeStatements } from "./statements/write.ts";
import { type CounterKey, keyOf, Writes } from "./writes.ts";

export interface GroupOptions {
  session: Session;
  /** The turns that it holds. */
  turns: Set<string>;
  collections: Collections;
  /** Whether it may have several members, so that it sends nothing before all are done. */
  shared: boolean;
}

/**
 * The database transaction in which the work of its members runs, one after another. Each sees what those before it
 * wrote. Other transactions that would write what they touch wait for the same turns.
 */
export class Group {
  /** What its members wrote that has not been sent yet. */
  readonly writes = new Writes();
  readonly sent = new Writes();
  readonly shared: boolean;
  /** Serves ranges, which the database evaluates. */
  readonly source: Source;
  readonly #documents = new Map<string, Promise<Row | undefined>>();
  readonly #totals = new Map<string, Promise<number>>();
  /** Totals read in advance. Most are asked for by all members. */
  readonly #known = new Map<string, number>();

  constructor(readonly options: GroupOptions) {
    this.shared = options.shared;
    this.source = createSource((statement) => options.session.send(statement));
  }

  /** Reads what its members will ask for. */
  async prepare(footprints: readonly Footprint[]): Promise<void> {
    const reads: Promise<unknown>[] = [];
    for (const { documents, counters } of footprints) {
      for (const { collection, space, id } of documents.values()) {
        reads.push(this.#documentBefore(collection, space, id));
      }
      for (const counter of counters.values()) {
        if (!this.#totals.has(counter.key)) reads.push(this.#learnTotal(counter));
      }
    }
    await Promise.all(reads);
  }

  /** Takes a turn that no earlier run has shown. */
  async hold(turn: string): Promise<void> {
    const { turns, session } = this.options;
    if (turns.has(turn)) return;
    // To wait for it now, while holding others, could deadlock.
    if (!(await session.tryLock(advisoryLockKeys([turn])[0] as number))) throw AGAIN;
    turns.add(turn);
  }

  async document(collection: string, space: Space, id: string): Promise<Row | undefined> {
    await this.hold(documentsLock(collection, space));
    const written = this.writes.document(collection, space, id);
    return written ?? this.#documentBefore(collection, space, id);
  }

  async total(counter: CounterKey): Promise<number> {
    await this.hold(countersLock(counter.space));
    return (await this.#totalBefore(counter)) + this.writes.added(counter);
  }

  /** Returns a total where it was read in advance, in which case its turn is held. */
  knownTotal(counter: CounterKey): number | undefined {
    const before = this.#known.get(counter.key);
    return before === undefined ? undefined : before + this.writes.added(counter);
  }

  /** Sends what one of its members wrote so far to the database. */
  async send(writes: Writes): Promise<void> {
    const statements = writeStatements(writes, this.options.collections);
    this.sent.absorb(writes);
    writes.clear();
    this.#documents.clear();
    this.#forgetTotals();
    await Promise.all(statements.map((statement) => this.options.session.send(statement)));
  }

  /** Deletes at once. What its members wrote has to be sent before. */
  async deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number> {
    this.#forgetTotals();
    return (await this.options.session.send(deleteCounters(counter, space, range))).length;
  }

  #documentBefore(collection: string, space: Space, id: string): Promise<Row | undefined> {
    const key = keyOf(collection, space, id);
    return remembered(this.#documents, key, () => this.source.document(collection, space, id));
  }

  #totalBefore({ key, counter, space, id }: CounterKey): Promise<number> {
    return remembered(this.#totals, key, () => this.source.total(counter, space, id));
  }

  async #learnTotal(counter: CounterKey): Promise<void> {
    this.#known.set(counter.key, await this.#totalBefore(counter));
  }

  #forgetTotals(): void {
    this.#totals.clear();
    this.#known.clear();
  }
}

function remembered<V>(map: Map<string, Promise<V>>, key: string, ask: () => Promise<V>): Promise<V> {
  let answer = map.get(key);
  if (!answer) {
    answer = ask();
    map.set(key, answer);
  }
  return answer;
}
