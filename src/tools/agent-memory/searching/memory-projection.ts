import type { Projection, Steps } from "../../../store/projection.ts";
import { codeOf } from "../../../text/codes.ts";
import { InvertedIndex } from "../../../text/search/inverted-index.ts";
import { asksQuestion, contentsOf, speakerOf } from "../contents.ts";
import { groupOf, type MemoryDocument, type UseDocument } from "../documents.ts";
import { digestOf, type Statement } from "../statement.ts";
import type { Corpus } from "./matching.ts";
import { RecentUses } from "./recent-uses.ts";
import { Speakers } from "./speakers.ts";
import { Tally } from "./tally.ts";
import { Threads } from "./threads.ts";

/** The properties of a memory, other than its words, that decide whether it is found and how it ranks. */
export interface Traits
  extends Pick<MemoryDocument, "kind" | "tags" | "keywords" | "importance" | "at" | "agent" | "thread"> {
  id: string;
  /** Number of the group of agent and thread within which memories are merged. */
  group: number;
  expiresAt: number;
  contentBytes: number;
  /** Approximate length of its JSON text. */
  size: number;
  asksQuestion: boolean;
  uses: number;
  statement: Statement;
  supersedes: readonly string[];
  /** Digest of group and statement. */
  digest: string;
  /** Approximate bytes of memory that all this takes. */
  bytes: number;
}

/** Bytes of memory per memory, posting and term; measured with 100,000 memories of 30 words. */
const MEMORY_BYTES = 800;
const POSTING_BYTES = 20;
const TERM_BYTES = 200;

/** The projection of a project's memories, for recalling and merging. Memories have small numbers in it. */
export class MemoryProjection implements Corpus, Projection {
  readonly index = new InvertedIndex();
  readonly threads = new Threads();
  readonly speakers = new Speakers();
  readonly recent = new RecentUses();
  readonly kinds = new Tally();
  readonly tags = new Tally();
  readonly keywords = new Tally();
  readonly agents = new Tally();
  readonly conversations = new Tally();
  /** Numbers by id, in the order of writing. */
  readonly #numbers = new Map<string, number>();
  /** By digest, the last memory written with it. */
  readonly #byDigest = new Map<string, number>();
  /** By the id of a superseded memory, the id of the last memory that superseded it. */
  readonly #supersededBy = new Map<string, string>();
  readonly #traits: (Traits | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #maxBytes: number;
  /**
   * A live iterator over the ids in the order of writing. Its next id is that of the oldest memory, because
   * every id that it has passed was removed.
   */
  readonly #oldest = this.#numbers.keys();
  #traitsBytes = 0;
  /** Number and total length of the memories in no thread. */
  written = { count: 0, length: 0 };
  /** Whether the oldest memories were left out to stay within the bound of memory. */
  isPartial = false;

  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  get count(): number {
    return this.#numbers.size;
  }

  get end(): number {
    return this.#traits.length;
  }

  *put(id: string, document: MemoryDocument, size: number): Steps<void> {
    const { weights, statement } = yield* contentsOf(document);
    const known = this.#numbers.get(id);
    const memory = known ?? this.#free.pop() ?? this.#traits.length;
    const before = this.#traits[memory];
    if (before) this.#withdraw(memory, before);
    this.#numbers.delete(id);
    this.#numbers.set(id, memory);
    this.index.add(memory, weights);
    this.speakers.put(memory, speakerOf(document));
    const traits = traitsOf(id, document, { statement, size, uses: before?.uses ?? 0 });
    this.#traits[memory] = traits;
    this.#byDigest.set(traits.digest, memory);
    for (const superseded of traits.supersedes) this.#supersededBy.set(superseded, id);
    this.#count(traits, 1);
    if (document.thread === undefined) this.#countWritten(memory, 1);
    else if (!before)
      this.threads.add(document.thread, memory, (one, other) => this.idOf(one) < this.idOf(other));
    while (this.bytes > this.#maxBytes && this.count > 1) {
      this.#removeOldest();
      yield;
    }
  }

  remove(id: string): void {
    const memory = this.#numbers.get(id);
    if (memory === undefined) return;
    this.#withdraw(memory, this.traitsOf(memory));
    this.threads.remove(memory);
    this.speakers.put(memory, undefined);
    this.recent.remove(id);
    this.#numbers.delete(id);
    this.#traits[memory] = undefined;
    this.#free.push(memory);
  }

  /** Returns the memory that says the same, word for word, in the same group. */
  withDigest(digest: string): number | undefined {
    return this.#byDigest.get(digest);
  }

  /** Returns the memory that superseded it; undefined if it is in force. */
  supersededBy(memory: number): number | undefined {
    const id = this.#supersededBy.get(this.idOf(memory));
    return id === undefined ? undefined : this.numberOf(id);
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  use(id: string, { count, lastAt }: UseDocument): void {
    const memory = this.numberOf(id);
    if (memory === undefined) return;
    this.traitsOf(memory).uses = count;
    this.recent.add(id, lastAt);
  }

  traitsOf(memory: number): Traits {
    return this.#traits[memory] as Traits;
  }

  idOf(memory: number): string {
    return this.traitsOf(memory).id;
  }

  asksQuestion(memory: number): boolean {
    return this.traitsOf(memory).asksQuestion;
  }

  /** The numbers of all memories. */
  all(): Iterable<number> {
    return this.#numbers.values();
  }

  get bytes(): number {
    return this.#traitsBytes + POSTING_BYTES * this.index.size + TERM_BYTES * this.index.vocabularySize;
  }

  #removeOldest(): void {
    this.remove(this.#oldest.next().value as string);
    this.isPartial = true;
  }

  #withdraw(memory: number, traits: Traits): void {
    this.#count(traits, -1);
    if (this.#byDigest.get(traits.digest) === memory) this.#byDigest.delete(traits.digest);
    for (const superseded of traits.supersedes) {
      if (this.#supersededBy.get(superseded) === traits.id) this.#supersededBy.delete(superseded);
    }
    if (!this.threads.has(memory)) this.#countWritten(memory, -1);
    this.index.remove(memory);
  }

  #count({ kind, tags, keywords, agent, thread, bytes }: Traits, by: 1 | -1): void {
    this.kinds.add([kind], by);
    this.tags.add(tags, by);
    this.keywords.add(keywords, by);
    if (agent !== undefined) this.agents.add([agent], by);
    if (thread !== undefined) this.conversations.add([thread], by);
    this.#traitsBytes += by * bytes;
  }

  #countWritten(memory: number, by: 1 | -1): void {
    this.written.count += by;
    this.written.length += by * this.index.lengthOf(memory);
  }
}

/** Hashes a group's key to a number of 52 bits for `Traits`. */
export function groupNumber(group: string): number {
  return codeOf(group) * 0x100000 + (codeOf(`${group} `) & 0xfffff);
}

function traitsOf(
  id: string,
  document: MemoryDocument,
  rest: { statement: Statement; size: number; uses: number },
): Traits {
  const { kind, tags, keywords, importance, at, expiresAt = Number.POSITIVE_INFINITY, content } = document;
  const { agent, thread, supersedes = [] } = document;
  const group = groupOf(document);
  const texts = [...tags, ...keywords, agent ?? "", thread ?? "", ...supersedes, ...supersedes];
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    id,
    kind,
    tags,
    keywords,
    importance,
    agent,
    thread,
    at,
    expiresAt,
    group: groupNumber(group),
    digest: document.digest ?? digestOf(group, rest.statement),
    contentBytes: Buffer.byteLength(content),
    asksQuestion: asksQuestion(document),
    supersedes,
    bytes: MEMORY_BYTES + 4 * characters + 4 * rest.statement.length,
    ...rest,
  };
}
