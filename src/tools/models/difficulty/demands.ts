/** Terms of tasks at which only strong models do well. */
const DEMANDING =
  /\b(?:active[- ]active|adversarial|allocators?|ambigu\w+|architect(?:ure|ural|ing)?|atomic(?:ity|s|ally)?|back-?pressure|backwards?[- ]compatib\w+|bit[- ]identical|bottlenecks?|byzantine|causal\w*|circular|compilers?|concurren\w+|confidence intervals?|consensus|consisten(?:t|cy)|consolidat\w+|constant[- ]time|counter-?examples?|crdts?|cryptograph\w+|data loss|dead-?lock\w*|determinis\w+|distributed|downtime|drift|due diligence|edge cases?|end[- ]to[- ]end encrypt\w+|eventual(?:ly)?|exactly[- ]once|exploit\w*|fail-?over|fault[- ]toleran\w+|formal(?:ly)?|garbage collect\w+|gpu|heisenbugs?|idempoten\w+|incremental(?:ly)?|intermittent(?:ly)?|invariants?|isolation|jurisdictions?|kernel|leader|leases?|liabilit\w+|linearizab\w+|lock[- ]free|lower bound|memory (?:barrier|corruption|leak|model|order)\w*|monolith|multi[- ](?:region|tenant)\w*|negotiat\w+|nondeterminis\w+|np[- ]hard|numa|numerical\w*|obfuscat\w+|paxos|p9\d|post-?mortem|proofs?|prov(?:e|es|ing|ably)|quorum|raft|race(?:s| conditions?)?|re-?architect\w*|redesign|regulat\w+|replica(?:s|tion|ted)?|re-?produc(?:e|ible|tion)|no repro|restructur\w+|roll-?back|root cause|saga|scenarios?|schedulers?|semantics|serializab\w+|shard\w*|side[- ]channels?|simd|snapshot isolation|soundness|split[- ]brain|stale|starv\w+|subtle|tail latency|thread[- ]safe\w*|threat model\w*|throughput|timing attack|tla\+?|topolog\w+|trade-?offs?|transactional|type (?:inference|systems?)|uncertain\w*|undefined behaviou?r|under load|use[- ]after[- ]free|valuation|vulnerabilit\w+|wait[- ]free|worst[- ]case|zero[- ](?:copy|downtime|knowledge))\b/gi;
/** What must hold besides, which a weak model forgets. */
const CONSTRAINT =
  /\b(?:must(?: not|n't)?|without (?:\w+ ){0,2}(?:break|chang|los|stop|copy|lock|block)\w*|no (?:behaviou?r|api|breaking|circular|data)\b|at (?:most|least)|never|exactly|guarantee\w*|justify|keep(?:ing)? (?:the|all|every)|only (?:when|if|under|on|with|in)|sometimes)\b/gi;
/** Requests that any model fulfils. */
const PLAIN =
  /\b(?:rename|typos?|spell-?(?:check|ing)|bump|pretty[- ]?print|re-?format|indent\w*|alphabetical\w*|(?:upper|lower) ?-?case|one[- ]?liners?|what(?:'s| is| does| do| are) (?:\S+ ){0,6}(?:do|mean|for|called)\b|what (?:is|does|are) (?:(?:a|an|the) )?\S{1,30}(?=\??$)|difference between|just|nothing else|(?:last|first) (?:line|word|row)|translate|capital(?:i[sz]e|s)?|synonyms?|thanks?|thank you|good morning|hello|how do (?:I|you) (?:exit|undo|open|close|install|print|copy|paste|say)|shortcut|count (?:the|how)|sort|remove (?:the )?(?:duplicates?|trailing|blank|empty)|übersetz\w+|tippfehler|was heißt|sortier\w+|traduis\w*|traduce\w*|corrige\w*|ordena\w*)\b/gi;

/** Characters that are searched, at the beginning and at the end: between them may stand what was pasted. */
const [BEGINNING, END] = [300, 120];
/** Distinct words that count, of each sort. */
const MAX_COUNTED = 3;
const MAX_PLAIN = 2;
/** What each counts, in logits. */
const OF_DEMANDING = 0.9;
const OF_CONSTRAINT = 0.3;
const OF_PLAIN = -1.2;

export interface Demands {
  /** How much harder than others of its kind a request is, in logits. */
  logits: number;
  /** The words that say so. */
  signs: string[];
}

/** Rates a request by the expertise that it names, what must hold besides, and the plain work that it asks for. */
export function demandsOf(prompt: string): Demands {
  const asked =
    prompt.length > BEGINNING + END ? `${prompt.slice(0, BEGINNING)}\n${prompt.slice(-END)}` : prompt;
  const found = (pattern: RegExp, most: number) =>
    [...new Set(Array.from(asked.matchAll(pattern), ([words]) => words.toLowerCase()))].slice(0, most);
  const demanding = found(DEMANDING, MAX_COUNTED);
  const constraints = found(CONSTRAINT, MAX_COUNTED);
  const plain = found(PLAIN, MAX_PLAIN);
  return {
    logits: OF_DEMANDING * demanding.length + OF_CONSTRAINT * constraints.length + OF_PLAIN * plain.length,
    signs: [...demanding, ...constraints, ...plain],
  };
}
