import type { Problem } from "../../contract/problem.ts";
import { refusalOf } from "../../contract/refusal.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Steps, WithText } from "../../store/projection.ts";
import type { AccountTurns } from "./account-turns.ts";
import { type FromIndex, MAX_PIECES } from "./messages.ts";

const PIECE_CHARACTERS = 64 * 1024;
/** Bound of what all unfinished texts are made from; a single one may exceed it. */
const MAX_BYTES = 96 << 20;
const MAX_ACCOUNT_TEXTS = 4;
/** A text whose reader has consumed nothing for this long may be cut off in favour of another. */
const MAX_PAUSE_MS = 5000;

interface Text {
  account: string;
  pieces: Iterator<string>;
  bytes: number;
  /** Pieces that were sent and not consumed yet. */
  underWay: number;
  isAtWork: boolean;
  /** When a piece was last consumed. */
  takenAt: number;
}

/** The texts of long answers, made as fast as they are consumed. */
export interface Texts {
  /** Registers a text. Throws `overloaded` if there are too many. */
  begin(id: number, account: string, text: Pick<WithText<unknown>, "text" | "bytes">): void;
  /** Starts to send its pieces. */
  go(id: number): void;
  taken(id: number): void;
  end(id: number): void;
}

export function createTexts({
  turns,
  post,
  monotonic,
}: {
  turns: AccountTurns;
  monotonic: () => number;
  post: (message: FromIndex) => void;
}): Texts {
  const texts = new Map<number, Text>();
  const encoder = new TextEncoder();

  /** Makes and sends pieces while there is room for them. */
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
  return overloaded("Enough long answers are being sent already. Ask again later.", 1);
}
