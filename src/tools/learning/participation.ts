import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { contribute } from "./contributions.ts";
import { histories, participants, standingId } from "./documents.ts";
import { deletePatterns } from "./patterns.ts";
import { findKey, keepKey, type Pseudonyms, pseudonymsOf, type Who } from "./pseudonyms.ts";
import { Ledger } from "./publishing/ledger.ts";
import { withdraw } from "./publishing/withdraw.ts";
import { TYPES } from "./types.ts";

/** Returns the pseudonyms of a project. Throws `Problem` `opt_in_required` if it does not take part. */
export async function requireParticipant(tx: Transaction, who: Who): Promise<Pseudonyms> {
  const key = await findKey(tx);
  const pseudonyms = key && pseudonymsOf(key, who);
  if (pseudonyms && (await tx.get(participants, GLOBAL, pseudonyms.project))) return pseudonyms;
  const { projectId } = who;
  throw new Problem(
    "opt_in_required",
    `The project "${projectId}" takes no part in cross-project learning. An admin of the account opts it in: ` +
      `PUT /api/v1/projects/${encodeURIComponent(projectId)} {"learningOptIn": true}, or: tool projects set ${projectId} --learning on`,
  );
}

/**
 * Opts a project in or out, within the transaction that changes its setting. Opting out deletes all that the
 * project contributed, in that same transaction.
 */
export async function changeParticipation(
  tx: Transaction,
  who: Who,
  { takesPart, now, chance }: { takesPart: boolean; now: number; chance: Buffer },
): Promise<void> {
  const { project, account } = pseudonymsOf((await findKey(tx)) ?? (await keepKey(tx, chance)), who);
  const before = await tx.get(participants, GLOBAL, project);
  if (takesPart) {
    if (before) return;
    await contribute(tx, account, "projects", 1);
    await tx.put(participants, GLOBAL, project, { since: now });
    return;
  }
  if (!before) return;
  const ledger = new Ledger(tx);
  for (const type of TYPES) {
    await withdraw(ledger, type, project);
    await tx.delete(histories, GLOBAL, standingId(project, type));
  }
  await ledger.write();
  await contribute(tx, account, "patterns", -(await deletePatterns(tx, project)));
  await contribute(tx, account, "projects", -1);
  await tx.delete(participants, GLOBAL, project);
}
