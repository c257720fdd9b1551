import { collection } from "../../store/store.ts";
import type { Tally } from "./tally.ts";

/** The recorded outcomes of a model, by kind of task. */
export interface OutcomesDocument {
  byKind: Record<string, Tally>;
}

/** In the project's space, by the model's name: `provider/id`. */
export const outcomes = collection<OutcomesDocument>("model_outcomes");

export const modelsCollections = [outcomes] as const;
