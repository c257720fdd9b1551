import { createProjections, type Projections, source } from "../../store/projection.ts";
import type { Store } from "../../store/store.ts";
import { asksQuestion, speakerOf, termWeightsOf } from "./contents.ts";
import { type MemoryDocument, memories, type UseDocument, uses } from "./documents.ts";
import { InvertedIndex } from "./inverted-index.ts";
import type { Corpus } from "./matching.ts";
import { RecentUses } from "./recent-uses.ts";
import { Speakers } from "./speakers.ts";
import { Tally } from "./tally.ts";
import { Threads } from "./threads.ts";

/** What of a memory decides whether and where it is found, beside its words. */
export interface Traits extends Pick<MemoryDocument, "kind" | "tags" | "keywords" | "importance" | "at"> {
  id: string;
  /** Agent and thread: what merging stays within. */
  group: string;
  expiresAt: number;
  contentBytes: number;
  asksQuestion: boolean;
  uses: number;
}

/** Of a project: what recall and merging look into. Memories go by small numbers in it. */
export class MemoryProjection implements Corpus {
  readonly index = new InvertedIndex();
  readonly threads = new Threads();
  readonly speakers = new Speakers();
  readonly recent = new RecentUses();
  readonly kinds = new Tally();
  readonly tags = new Tally();
  readonly keywords = new Tally();
  readonly #numbers = new Map<string, number>();
  readonly #traits: (Traits | undefined)[] = [];
  readonly #free: number[] = [];
  /** Memories in no thread. */
  written = { count: 0, length: 0 };

  get count(): number {
    return this.#numbers.size;
  }

  get end(): number {
    return this.#traits.length;
  }

  put(id: string, document: MemoryDocument): void {
    const memory = this.#numbers.get(id) ?? this.#free.pop() ?? this.#traits.length;
    const before = this.#traits[memory];
    if (before) this.#withdraw(memory, before);
    this.#numbers.set(id, memory);
    this.index.add(memory, termWeightsOf(document));
    this.speakers.put(memory, speakerOf(document));
    const traits = traitsOf(id, document, before?.uses ?? 0);
    this.#traits[memory] = traits;
    this.#count(traits, 1);
    if (document.thread === undefined) this.#countWritten(memory, 1);
    else if (!before)
      this.threads.add(document.thread, memory, (one, other) => this.idOf(one) < this.idOf(other));
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

  /** About; measured with 100,000 memories of 30 words. */
  get bytes(): number {
    return 700 * this.count + 16 * this.index.size;
  }

  #withdraw(memory: number, traits: Traits): void {
    this.#count(traits, -1);
    if (!this.threads.has(memory)) this.#countWritten(memory, -1);
    this.index.remove(memory);
  }

  #count({ kind, tags, keywords }: Traits, by: 1 | -1): void {
    this.kinds.add([kind], by);
    this.tags.add(tags, by);
    this.keywords.add(keywords, by);
  }

  #countWritten(memory: number, by: 1 | -1): void {
    this.written.count += by;
    this.written.length += by * this.index.lengthOf(memory);
  }
}

export function groupOf({
  agent,
  thread,
}: {
  agent?: string | undefined;
  thread?: string | undefined;
}): string {
  return JSON.stringify([agent ?? null, thread ?? null]);
}

function traitsOf(id: string, document: MemoryDocument, uses: number): Traits {
  const { kind, tags, keywords, importance, at, expiresAt = Number.POSITIVE_INFINITY, content } = document;
  return {
    id,
    kind,
    tags,
    keywords,
    importance,
    at,
    expiresAt,
    group: groupOf(document),
    contentBytes: Buffer.byteLength(content),
    asksQuestion: asksQuestion(document),
    uses,
  };
}

export function createMemoryProjections(store: Store): Projections<MemoryProjection> {
  return createProjections({
    store,
    sources: [
      source(memories, (projection: MemoryProjection, id, document) => {
        if (document) projection.put(id, document);
        else projection.remove(id);
      }),
      source(uses, (projection: MemoryProjection, id, use) => {
        if (use) projection.use(id, use);
      }),
    ],
    empty: () => new MemoryProjection(),
    weigh: (projection) => projection.bytes,
  });
}
