/** What is known of a batch that was counted. */
export interface CountedBatch {
  /** SHA-256 of its content, base64url. */
  fingerprint: string;
  /** What became of each event, a letter each. */
  outcomes: string;
}

/** 66 bits, against mistakes: who makes two bodies of one fingerprint fools nobody but himself. */
const FINGERPRINT_LENGTH = 11;

/** In short, without spaces: `Zl3…` and `20a3d`, for as many of an outcome in succession. */
export function batchNote({ fingerprint, outcomes }: CountedBatch): string {
  const runs = outcomes.replace(/([a-z])\1+/g, (run, letter) => `${run.length}${letter}`);
  return `${fingerprint.slice(0, FINGERPRINT_LENGTH)}${runs}`;
}

/** @param note of `batchNote`, which keeps the beginning of the fingerprint. */
export function readBatchNote(note: string): CountedBatch {
  const outcomes = note
    .slice(FINGERPRINT_LENGTH)
    .replace(/(\d+)([a-z])/g, (_, length, letter) => letter.repeat(Number(length)));
  return { fingerprint: note.slice(0, FINGERPRINT_LENGTH), outcomes };
}
