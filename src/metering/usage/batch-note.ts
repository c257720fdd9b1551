/** What is stored about a counted batch. */
export interface CountedBatch {
  /** SHA-256 of its content, base64url. */
  fingerprint: string;
  /** The outcome of each event, as one letter. */
  outcomes: string;
}

/** 66 bits, enough against accidents. A client that constructs a collision only deceives itself. */
const FINGERPRINT_LENGTH = 11;

/** Encodes compactly and without spaces: `Zl3…`, then runs of equal outcomes such as `20a3d`. */
export function batchNote({ fingerprint, outcomes }: CountedBatch): string {
  const runs = outcomes.replace(/([a-z])\1+/g, (run, letter) => `${run.length}${letter}`);
  return `${fingerprint.slice(0, FINGERPRINT_LENGTH)}${runs}`;
}

/** Decodes a note. @param note made by `batchNote`, which keeps only the beginning of the fingerprint */
export function readBatchNote(note: string): CountedBatch {
  const outcomes = note
    .slice(FINGERPRINT_LENGTH)
    .replace(/(\d+)([a-z])/g, (_, length, letter) => letter.repeat(Number(length)));
  return { fingerprint: note.slice(0, FINGERPRINT_LENGTH), outcomes };
}
