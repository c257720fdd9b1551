import type { Kind } from "../contract.ts";
import type { Unit } from "../units.ts";
import { centrality } from "./centrality.ts";
import { passageRelevance } from "./passage-relevance.ts";
import { conversationTermsOf, queryTermsOf } from "./query-terms.ts";
import { sentenceRelevance } from "./sentence-relevance.ts";
import { structureOf } from "./structure.ts";

export interface Ranking {
  /** By unit, 0 and more. */
  scores: Float64Array;
  /** What each kind was ranked by: `prose:sentences`. */
  method: string;
}

const BY_PASSAGES: ReadonlySet<Kind> = new Set(["dialogue", "log"]);
const BY_FORM: ReadonlySet<Kind> = new Set(["code", "diff", "log", "json"]);

/** Units of one kind are ranked among themselves, and together by how well the best of each kind fits. */
export function rank(units: readonly Unit[], query: string | undefined): Ranking {
  const scores = new Float64Array(units.length);
  const asked = query !== undefined && query.trim() !== "";
  const methods: string[] = [];
  for (const kind of new Set(units.map((unit) => unit.kind))) {
    const places = [...units.keys()].filter((place) => (units[place] as Unit).kind === kind);
    const members = places.map((place) => units[place] as Unit);
    const byPassages = BY_PASSAGES.has(kind);
    const about = asked ? relevanceOf(members, query, byPassages) : centrality(members);
    const most = about.reduce((highest, score) => Math.max(highest, score), 0);
    const strength = asked ? most : 1;
    for (const [index, place] of places.entries()) {
      const share = most > 0 ? (about[index] as number) / most : 0;
      const form = BY_FORM.has(kind) ? structureOf(members[index] as Unit) : 0;
      scores[place] = strength * (share + form);
      // Without a word of the query the form is all there is.
      if (most === 0) scores[place] = form;
    }
    methods.push(`${kind}:${asked ? (byPassages ? "passages" : "sentences") : "centrality"}`);
  }
  return { scores, method: methods.join("+") };
}

function relevanceOf(units: readonly Unit[], query: string, byPassages: boolean): Float64Array {
  return byPassages
    ? passageRelevance(units, conversationTermsOf(query, units))
    : sentenceRelevance(units, queryTermsOf(query));
}
