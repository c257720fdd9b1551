import type { Handlers } from "../../contract/endpoint.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { anonymise } from "./anonymise.ts";
import { sizeName, unitCalled } from "./cell.ts";
import type { learningContract } from "./contract.ts";
import { cohorts, histories, type PatternDocument, standingId, standings } from "./documents.ts";
import { requireParticipant } from "./participation.ts";
import { patternsOf, patternView, sharePattern } from "./patterns.ts";
import { Ledger } from "./publishing/ledger.ts";
import { recordMeasurement } from "./publishing/record.ts";
import { standingIn } from "./standing.ts";
import { trendOf } from "./trend.ts";
import { BETTER, type MeasureType, TYPES } from "./types.ts";

export interface LearningPorts {
  store: Store;
  clock: Clock;
  random: Random;
  /** Returns the names of an account, its users and its projects, which are masked in what is shared. */
  namesOf: (accountId: string) => Promise<string[]>;
}

type Context = { language?: string | undefined; size?: string | number | undefined };

export function createLearning({
  store,
  clock,
  random,
  namesOf,
}: LearningPorts): Handlers<typeof learningContract> {
  return {
    async benchmark({ type, value, unit: called, context }, caller) {
      const unit = called === undefined ? undefined : unitCalled(called);
      const [at, batch] = [clock.now(), random.id("bat")];
      return store.transact(async (tx) => {
        const pseudonyms = await requireParticipant(tx, caller);
        const ledger = new Ledger(tx);
        const given = { type, unit: unit ?? "", value, at, batch, ...named(context) };
        const standing = await recordMeasurement(ledger, pseudonyms, given);
        await ledger.write();
        const read = (cohort: string) => ledger.cohort(cohort);
        const { answer } = await standingIn(read, type, standing, unit ?? "");
        return { type, value, unit: unit ?? null, recordedAt: iso(at), ...answer };
      }, caller.answer);
    },

    async pattern({ title, description, category, context, outcome }, caller) {
      const [at, id] = [clock.now(), random.id("pat")];
      const names = await namesOf(caller.accountId);
      const kinds = new Set<string>();
      const masked = (text: string) => {
        const anonymous = anonymise(text, names);
        for (const kind of anonymous.kinds) kinds.add(kind);
        return anonymous.text;
      };
      const { language, size } = named(context);
      const said: Omit<PatternDocument, "author"> = {
        title: masked(title),
        description: masked(description),
        category: masked(category),
        ...(language !== undefined && { language: masked(language) }),
        ...(size !== undefined && { size: masked(size) }),
        ...(outcome !== undefined && { outcome: masked(outcome) }),
        at,
      };
      return store.transact(async (tx) => {
        const { project, account } = await requireParticipant(tx, caller);
        const pattern = { author: project, ...said };
        await sharePattern(tx, id, account, pattern);
        return { pattern: patternView(id, pattern), masked: [...kinds].sort() };
      }, caller.answer);
    },

    async insights({ type }, caller) {
      return store.transact(async (tx) => {
        const { project } = await requireParticipant(tx, caller);
        const types = type === undefined ? TYPES : [type];
        return { items: await Promise.all(types.map((each) => insightOf(tx, project, each))) };
      });
    },
  };
}

function named({ language, size }: Context): { language?: string; size?: string } {
  const name = sizeName(size);
  return defined({ language, size: name });
}

async function insightOf(tx: Transaction, project: string, type: MeasureType) {
  const better = BETTER[type];
  const id = standingId(project, type);
  const [history, standing] = await Promise.all([
    tx.get(histories, GLOBAL, id),
    tx.get(standings, GLOBAL, id),
  ]);
  const values = history?.values.map(({ value }) => value) ?? [];
  const trend = { ...trendOf(values, better), measurements: values.length, values };
  const latest = history?.values.at(-1);
  if (!history || !latest || !standing) {
    const cohort = { status: "insufficient_data" as const };
    const none = { percentile: null, betterThan: null, sameAs: null, cohort, patterns: [] };
    return { type, better, status: "no_measurements" as const, unit: null, latest: null, trend, ...none };
  }
  const { unit } = history;
  const read = (cohort: string) => tx.get(cohorts, GLOBAL, cohort);
  const { answer, within } = await standingIn(read, type, standing, unit);
  const language = decodeURIComponent(standing.key.split("|")[2] ?? "") || undefined;
  return {
    type,
    better,
    status: answer.cohort.status,
    unit: unit === "" ? null : unit,
    latest: { value: latest.value, at: iso(latest.at) },
    trend,
    ...answer,
    patterns: within ? await patternsOf(tx, { type, language }, within, within.isBetter) : [],
  };
}
