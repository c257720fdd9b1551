import { hash } from "node:crypto";
import { collection, type Space, type Transaction } from "../../store/store.ts";
import { bucketOf as numberOf, startOf } from "./buckets.ts";
import { type Kind, olderIds, olderNote } from "./older-ids.ts";

/** How the ids of a space are distributed. Stored while any of them is remembered. */
interface IdTable {
  /** Random, so that nobody can choose ids that all fall into one bucket. */
  seed: string;
  buckets: number;
  /** The last day on which an id was added. */
  day: number;
  /**
   * Present until the storage of the previous version is migrated. `emptyOn` is a day on which it was empty. It must
   * be empty on a later day, too, because instances of the previous version may still have written.
   */
  older?: { emptyOn?: number };
}

/** In the project's space. */
export const usageIdSpreads = collection<IdTable>("usage_id_spreads");
/**
 * In the project's space, by number: the bucket's entries, oldest first. An entry is a space, the day it was added (3
 * digits in base 36), the hashed name of an id, and a note.
 */
export const usageIdBuckets = collection<string>("usage_id_buckets");

const SPREAD = "spread";
const DAY_LENGTH = 3;
/** 60 bits: with a hundred million remembered ids, one new id in 10¹⁰ is mistaken for one of them. */
const NAME_LENGTH = 10;
/** In characters. A longer bucket is split, so that a batch writes about 4 KiB per id. */
const MAX_BUCKET = 4500;

interface Bucket {
  /** Searched without parsing, because a batch may touch a thousand buckets. */
  text: string;
  changed: boolean;
}

/**
 * The ids of a project's batches and events, each with a note, remembered for a fixed time that ends with a day.
 * They are distributed over buckets by hash, which are split one at a time (linear hashing, Litwin 1980), so that an
 * id costs 14 bytes, a document has a few kilobytes, and a lookup reads a single document. Each instance belongs to
 * one transaction and is written at its end.
 */
export class UsageIds {
  readonly #buckets = new Map<number, Promise<Bucket>>();
  readonly #today: number;

  private constructor(
    readonly tx: Transaction,
    readonly space: Space,
    readonly spread: IdTable,
    readonly now: number,
    readonly rememberedMs: number,
  ) {
    this.#today = numberOf("day", now);
  }

  /** @param seed random, for a space without ids */
  static async open(
    tx: Transaction,
    space: Space,
    { now, rememberedMs, seed }: { now: number; rememberedMs: number; seed: string },
  ): Promise<UsageIds> {
    const found = await tx.get(usageIdSpreads, space, SPREAD);
    const spread: IdTable = found ?? { seed, buckets: 1, day: 0, older: {} };
    return new UsageIds(tx, space, spread, now, rememberedMs);
  }

  /** Returns the note of an id; undefined if it is not known. */
  async find(kind: Kind, id: string): Promise<string | undefined> {
    const name = this.#nameOf(kind, id);
    const { text } = await this.#bucketOf(name);
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      if (text[at - DAY_LENGTH - 1] !== " ") continue;
      const end = text.indexOf(" ", at);
      return text.slice(at + NAME_LENGTH, end < 0 ? undefined : end);
    }
    return this.spread.older && olderNote(this.tx, this.space, kind, id);
  }

  /** Adds an id that is not known. @param note without spaces */
  async add(kind: Kind, id: string, note = ""): Promise<void> {
    const name = this.#nameOf(kind, id);
    const bucket = await this.#bucketOf(name);
    bucket.text += ` ${this.#today.toString(36).padStart(DAY_LENGTH, "0")}${name}${note}`;
    bucket.changed = true;
  }

  async write(): Promise<void> {
    if ((await this.#changed()).length === 0) return;
    if (this.spread.older) await this.#adopt(this.spread.older);
    const changed = await this.#changed();
    for (const { text } of changed) {
      for (let more = Math.floor(text.length / MAX_BUCKET); more > 0; more--) await this.#split();
    }
    const { tx, space, spread } = this;
    await tx.put(usageIdSpreads, space, SPREAD, { ...spread, day: this.#today }, this.#untilForgotten());
    for (const [number, loaded] of this.#buckets) {
      const bucket = await loaded;
      if (bucket.changed) await this.#put(number, bucket);
    }
  }

  async #changed(): Promise<Bucket[]> {
    return (await Promise.all(this.#buckets.values())).filter((bucket) => bucket.changed);
  }

  /** Migrates a part of the ids of the previous version, which are remembered from today on. */
  async #adopt(older: { emptyOn?: number }): Promise<void> {
    if (older.emptyOn === this.#today) return;
    let none = true;
    for await (const { kind, id, note } of olderIds(this.tx, this.space)) {
      await this.add(kind, id, note);
      none = false;
    }
    if (!none) this.spread.older = {};
    else if (older.emptyOn === undefined) this.spread.older = { emptyOn: this.#today };
    else delete this.spread.older;
  }

  /** Adds a bucket, and moves the entries that belong there from another. */
  async #split(): Promise<void> {
    const number = this.spread.buckets++;
    const from = await this.#load(number - highestBit(number));
    const [stay, move] = [[] as string[], [] as string[]];
    for (const entry of entriesOf(from.text)) {
      const name = entry.slice(DAY_LENGTH, DAY_LENGTH + NAME_LENGTH);
      (bucketOf(name, number + 1) === number ? move : stay).push(entry);
    }
    this.#buckets.set(number, Promise.resolve({ text: textOf(move), changed: move.length > 0 }));
    if (move.length === 0) return;
    from.text = textOf(stay);
    from.changed = true;
  }

  async #put(number: number, { text }: Bucket): Promise<void> {
    const { tx, space } = this;
    if (text === "") await tx.delete(usageIdBuckets, space, String(number));
    else await tx.put(usageIdBuckets, space, String(number), text, this.#untilForgotten());
  }

  /**
   * Expires buckets as if they had entries of today. In one without, old entries are dropped when it is next loaded.
   */
  #untilForgotten() {
    return { expiresAt: this.#forgottenAt(this.#today) };
  }

  #forgottenAt(day: number): number {
    return startOf("day", day + 1) + this.rememberedMs;
  }

  #nameOf(kind: Kind, id: string): string {
    return hash("sha256", `${this.spread.seed} ${kind} ${id}`, "base64url").slice(0, NAME_LENGTH);
  }

  #bucketOf(name: string): Promise<Bucket> {
    return this.#load(bucketOf(name, this.spread.buckets));
  }

  #load(number: number): Promise<Bucket> {
    let bucket = this.#buckets.get(number);
    if (!bucket) {
      bucket = this.tx.get(usageIdBuckets, this.space, String(number)).then((text) => ({
        text: this.#known(text ?? ""),
        changed: false,
      }));
      this.#buckets.set(number, bucket);
    }
    return bucket;
  }

  /** Returns the entries without the forgotten ones. */
  #known(text: string): string {
    const isForgotten = (entry: string) =>
      this.#forgottenAt(Number.parseInt(entry.slice(0, DAY_LENGTH), 36)) <= this.now;
    if (text === "" || !isForgotten(text.slice(1))) return text;
    return textOf(entriesOf(text).filter((entry) => !isForgotten(entry)));
  }
}

function entriesOf(text: string): string[] {
  return text.split(" ").slice(1);
}

function textOf(entries: readonly string[]): string {
  return entries.map((entry) => ` ${entry}`).join("");
}

/** Returns the number of a name's bucket among `buckets`. */
function bucketOf(name: string, buckets: number): number {
  const number = Buffer.from(name, "base64url").readUIntBE(0, 6);
  const low = highestBit(buckets);
  const place = number % (2 * low);
  return place < buckets ? place : place - low;
}

/** Returns the largest power of two that is not greater. */
function highestBit(number: number): number {
  return 2 ** (31 - Math.clz32(number));
}
