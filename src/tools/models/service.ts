import type { Handlers } from "../../contract/endpoint.ts";
import { nearNames, questionOf } from "../../contract/near-names.ts";
import { Problem } from "../../contract/problem.ts";
import { type Space, type Store, spaceOf } from "../../store/store.ts";
import { once } from "../../system/caching.ts";
import { type Clock, iso } from "../../system/clock.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { type Model, nameOf } from "./catalogue/model.ts";
import type { modelsContract } from "./contract.ts";
import { type OutcomesDocument, outcomes } from "./documents.ts";
import { matching } from "./list.ts";
import { select, shownTally } from "./select.ts";
import type { selectJob } from "./select-job.ts";
import { strengthsOf } from "./strength.ts";
import { afterOutcome, UNTRIED } from "./tally.ts";
import { namesIn, WHERE_LISTED } from "./unknown-names.ts";

export interface ModelsPorts {
  store: Store;
  clock: Clock;
  models: Catalogue;
}

export function createModels(ports: ModelsPorts): Handlers<typeof modelsContract> {
  const { store, clock, models: catalogue } = ports;
  const strengths = once(() => strengthsOf(catalogue.models));

  return {
    async list(filter) {
      return { items: matching(catalogue.models, filter), catalogueDate: catalogue.date };
    },

    async select(work, caller) {
      const { request, prompt } = await work.run<typeof selectJob>({ context: undefined });
      const outcomes = await recordedIn(store, spaceOf(caller));
      return select(request, { catalogue, strengths: strengths(), outcomes, prompt, now: clock.now() });
    },

    async outcome({ model: name, kind, outcome, latencyMs }, caller) {
      const model = modelNamed(catalogue.models, name);
      const space = spaceOf(caller);
      const key = nameOf(model);
      const { id, provider } = model;
      const now = clock.now();
      return store.transact(async (tx) => {
        const { byKind = {} } = (await tx.get(outcomes, space, key)) ?? {};
        const tally = afterOutcome(byKind[kind] ?? UNTRIED, outcome === "success", latencyMs, now);
        await tx.put(outcomes, space, key, { byKind: { ...byKind, [kind]: tally } });
        const recorded = shownTally(tally) ?? { successes: 0, failures: 0 };
        return { id, provider, kind, recorded, recordedAt: iso(now) };
      }, caller.answer);
    },
  };
}

/** Reads all outcomes of a project by model. The size of the catalogue bounds their number. */
async function recordedIn(store: Store, space: Space): Promise<Map<string, OutcomesDocument>> {
  const entries = await store.transact((tx) => tx.list(outcomes, space));
  return new Map(entries.map(({ id, value }) => [id, value]));
}

function modelNamed(models: readonly Model[], name: string): Model {
  const found = models.filter((model) => nameOf(model) === name || model.id === name);
  const exact = found.find((model) => nameOf(model) === name) ?? found[0];
  if (exact && (found.length === 1 || nameOf(exact) === name)) return exact;
  const fault = exact
    ? `several providers have it: name one of ${found.map(nameOf).join(", ")}`
    : `the catalogue has no such model${questionOf(nearNames(name, namesIn(models))) || `; ${WHERE_LISTED}`}`;
  throw new Problem("unprocessable", `"model": "${name}": ${fault}${fault.endsWith("?") ? "" : "."}`, {
    errors: [{ path: "model", message: fault }],
  });
}
