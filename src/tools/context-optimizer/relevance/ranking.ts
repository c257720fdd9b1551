import type { Kind } from "../contract.ts";
import type { Unit } from "../units.ts";
import { centrality } from "./centrality.ts";
import { passageRelevance } from "./passage-relevance.ts";
import { conversationTermsOf, queryTermsOf } from "./query-terms.ts";
import { sentenceRelevance } from "./sentence-relevance.ts";
import { structureOf } from "./structure.ts";

export interface Ranking {
  /** By unit, 0 or more. */
  scores: Float64Array;
  /** How each kind was ranked: `prose:sentences`. */
  method: string;
}

const BY_PASSAGES: ReadonlySet<Kind> = new Set(["dialogue", "log"]);
const BY_FORM: ReadonlySet<Kind> = new Set(["code", "diff", "log", "json"]);

/** Ranks units among those of their kind, and kinds by how well their best unit fits the query. */
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
      // Where nothing has a word of the query, only the form counts.
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
