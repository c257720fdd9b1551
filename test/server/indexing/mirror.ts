import {
  type HostedKind,
  type Projection,
  type ProjectionKind,
  source,
  WithText,
} from "../../../src/store/projection.ts";
import { collection } from "../../../src/store/store.ts";

export const words = collection<string>("words", { changes: true });
export const numbers = collection<number>("numbers", { changes: true });

/** Questions to a mirror of the documents that were written. */
export type MirrorQuestions = {
  all: {
    asked: undefined;
    answer: { words: Map<string, string>; numbers: Map<string, number>; made: number; pieces: number };
  };
  /** Returns `pieces` pieces of `length` characters. */
  text: { asked: { pieces: number; length: number }; answer: { pieces: number } };
  /** Takes `turns` turns. */
  long: { asked: { turns: number }; answer: number };
  /** Fills the process's heap. */
  fill: { asked: undefined; answer: never };
  fail: { asked: string; answer: never };
};

export const mirrorKind: ProjectionKind<MirrorQuestions> = { name: "mirror", collections: [words, numbers] };

let made = 0;

class Mirror implements Projection {
  readonly words = new Map<string, string>();
  readonly numbers = new Map<string, number>();
  /** Serial number among the mirrors that the process has made. */
  readonly made = ++made;
  /** The number of pieces of its texts that were made. */
  pieces = 0;

  get bytes(): number {
    return 1000 * (this.words.size + this.numbers.size);
  }
}

function put<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}

export const mirrorIndex: HostedKind<Mirror, MirrorQuestions> = {
  kind: mirrorKind,
  sources: [
    source(words, (mirror: Mirror, { id, value }) => {
      if (value === "fills the heap") fillHeap();
      put(mirror.words, id, value);
    }),
    source(numbers, (mirror: Mirror, { id, value }) => put(mirror.numbers, id, value)),
  ],
  empty: () => new Mirror(),
  answers: {
    *all(mirror) {
      yield;
      const { words, numbers, made, pieces } = mirror;
      return { words, numbers, made, pieces };
    },
    *text(mirror, { pieces, length }) {
      yield;
      return new WithText({ pieces }, textOf(mirror, pieces, length), pieces * length);
    },
    *long(_, { turns }) {
      let answered = 0;
      for (let turn = 0; turn < turns; turn++) {
        const end = performance.now() + 10;
        while (performance.now() < end) answered++;
        yield;
      }
      return answered;
    },
    *fill() {
      yield;
      return fillHeap();
    },
    *fail(_, message) {
      yield;
      throw new Error(message);
    },
  },
};

function* textOf(mirror: Mirror, pieces: number, length: number): Generator<string> {
  for (let left = pieces; left > 0; left--) {
    mirror.pieces++;
    yield "x".repeat(length);
  }
}

function fillHeap(): never {
  const held: unknown[] = [];
  for (;;) held.push({ filler: held.length, more: [held.length] });
}
