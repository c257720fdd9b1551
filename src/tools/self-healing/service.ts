import type { Handlers } from "../../contract/endpoint.ts";
import { type Store, spaceOf } from "../../store/store.ts";
import { type Clock, iso } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { maskSecrets } from "../../text/secrets/mask-secrets.ts";
import type { selfHealingContract } from "./contract.ts";
import type { diagnoseJob } from "./diagnose-job.ts";
import { historyOf } from "./history.ts";
import { keepDiagnosis } from "./keep-diagnosis.ts";
import { deleteDiagnosis, seen, showDiagnosis } from "./one-diagnosis.ts";
import { recordOutcome } from "./record-outcome.ts";

export interface SelfHealingPorts {
  store: Store;
  clock: Clock;
  random: Random;
}

export function createSelfHealing(ports: SelfHealingPorts): Handlers<typeof selfHealingContract> {
  const { store, clock, random } = ports;

  return {
    async diagnose(work, caller) {
      const { diagnosis, build } = await work.run<typeof diagnoseJob>({ context: undefined });
      const space = spaceOf(caller);
      const diagnosisId = random.id("dia");
      const now = clock.now();
      return store.transact(async (tx) => {
        const { suggestions, before } = await keepDiagnosis(tx, space, diagnosisId, diagnosis, build, now);
        return { diagnosisId, ...diagnosis, suggestions, seenBefore: before ? seen(before) : null };
      }, caller.answer);
    },

    async record({ fix, note, ...input }, caller) {
      const space = spaceOf(caller);
      const at = clock.now();
      const words = {
        ...(fix !== undefined && { fix: maskSecrets(fix).text }),
        ...(note !== undefined && { note: maskSecrets(note).text }),
      };
      return store.transact(async (tx) => {
        const recorded = await recordOutcome(tx, space, { ...input, ...words, at });
        return { ...recorded, outcome: input.outcome, recordedAt: iso(at) };
      }, caller.answer);
    },

    show: ({ diagnosisId }, caller) =>
      store.transact((tx) => showDiagnosis(tx, spaceOf(caller), diagnosisId)),

    async delete({ diagnosisId }, caller) {
      await store.transact((tx) => deleteDiagnosis(tx, spaceOf(caller), diagnosisId));
      return { deleted: diagnosisId };
    },

    history: (query, caller) => historyOf(store, spaceOf(caller), query),
  };
}
