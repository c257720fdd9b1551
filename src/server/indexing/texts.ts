import { Problem } from "../../contract/problem.ts";
import { refusalOf } from "../../contract/refusal.ts";
import type { Steps, WithText } from "../../store/projection.ts";
import { type FromIndex, MAX_PIECES } from "./messages.ts";
import type { Turns } from "./turns.ts";

const PIECE_CHARACTERS = 64 * 1024;
/** What texts under way may be made of, all together; one alone may be of more. */
const MAX_BYTES = 96 << 20;
const MAX_ACCOUNT_TEXTS = 4;
/** Who takes nothing for so long gives way to others. */
const MAX_PAUSE_MS = 5000;

interface Text {
  account: string;
  pieces: Iterator<string>;
  bytes: number;
  /** Pieces that were sent and are not used up yet. */
  underWay: number;
  isAtWork: boolean;
  /** When a piece was used up. */
  takenAt: number;
}

/** The texts of long answers, made no faster than they are used up. */
export interface Texts {
  /** Throws `Problem` `overloaded` where too many are under way. */
  begin(id: number, account: string, text: Pick<WithText<unknown>, "text" | "bytes">): void;
  /** Its first pieces may be sent. */
  go(id: number): void;
  taken(id: number): void;
  end(id: number): void;
}

export function createTexts({
  turns,
  post,
  monotonic,
}: {
  turns: Turns;
  monotonic: () => number;
  post: (message: FromIndex) => void;
}): Texts {
  const texts = new Map<number, Text>();
  const encoder = new TextEncoder();

  /** Makes and sends pieces as long as there is room for them. */
  function* make(id: number, text: Text): Steps<void> {
    try {
      while (text.underWay < MAX_PIECES) {
        let piece = "";
        let isOver = false;
        while (!isOver && piece.length < PIECE_CHARACTERS) {
          const next = text.pieces.next();
          isOver = next.done === true;
          if (!next.done) piece += next.value;
          yield;
        }
        if (!texts.has(id)) return;
        const bytes = encoder.encode(piece);
        if (bytes.length > 0) post({ type: "text", id, piece: bytes });
        text.underWay++;
        if (!isOver) continue;
        texts.delete(id);
        post({ type: "text", id });
        return;
      }
    } catch (error) {
      texts.delete(id);
      post({ type: "text", id, refusal: refusalOf(error) });
    } finally {
      text.isAtWork = false;
    }
  }

  function cut(id: number): void {
    texts.delete(id);
    post({ type: "text", id, refusal: refusalOf(tooMany()) });
  }

  function go(id: number): void {
    const text = texts.get(id);
    if (!text || text.isAtWork) return;
    text.isAtWork = true;
    turns.add({ id, account: text.account, steps: make(id, text) });
  }

  return {
    begin(id, account, { text: pieces, bytes }) {
      let total = bytes;
      let own = 0;
      for (const each of texts.values()) {
        total += each.bytes;
        if (each.account === account) own++;
      }
      for (const [other, each] of texts) {
        if (total <= MAX_BYTES) break;
        if (each.isAtWork || monotonic() - each.takenAt < MAX_PAUSE_MS) continue;
        cut(other);
        total -= each.bytes;
      }
      if ((total > MAX_BYTES && texts.size > 0) || own >= MAX_ACCOUNT_TEXTS) throw tooMany();
      texts.set(id, { account, pieces, bytes, underWay: 0, isAtWork: false, takenAt: monotonic() });
    },
    go,
    taken(id) {
      const text = texts.get(id);
      if (!text) return;
      text.underWay--;
      text.takenAt = monotonic();
      go(id);
    },
    end: (id) => void texts.delete(id),
  };
}

function tooMany(): Problem {
  return new Problem("overloaded", "Enough long answers are being sent already. Ask again later.", {
    headers: { "Retry-After": "1" },
  });
}
