import { finish } from "../../../src/store/projection.ts";
import { analyse } from "../../../src/tools/agent-memory/analyse.ts";
import { compare } from "../../../src/tools/agent-memory/compare.ts";
import { MemoryProjection } from "../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../src/tools/agent-memory/searching/recall.ts";
import { LATER_QUESTIONS } from "./later-questions.ts";
import lessons from "./lessons.json" with { type: "json" };
import natural from "./natural-questions.json" with { type: "json" };
import { CORRECTIONS, QUESTIONS } from "./statements.ts";
import { STRANGERS_QUESTIONS } from "./strangers-questions.ts";
import strangers from "./strangers-statements.json" with { type: "json" };

const NOW = Date.UTC(2026, 0, 1);

/** Measures corrections stored after a recall, and questions in other words: the tuned sets and the held-back ones. */
export function inOtherWords(): void {
  for (const set of ["tuned", "held back"] as const) {
    const corrected = CORRECTIONS[set].map(([earlier, later, question]) => outcome(earlier, later, question));
    const { length } = corrected;
    const counted = (of: keyof (typeof corrected)[number]) => corrected.filter((each) => each[of]).length;
    console.log(
      `corrections after a recall, ${set}: ${counted("kept")} of ${length} kept, ${counted("linked")} linked, ${counted("first")} recalled first`,
    );
    for (const [name, questions] of Object.entries({
      first: QUESTIONS,
      later: LATER_QUESTIONS,
      "a stranger's": STRANGERS_QUESTIONS,
    })) {
      ask(questions, set, name);
    }
  }
  naturalQuestions();
  lessonsLearned();
  strangersStatements();
}

/** Asks for what somebody noted after solving something, 16 to 64 words long each, in words from before. */
function lessonsLearned(): void {
  const projection = new MemoryProjection();
  const { notes, sharingWords, inOtherWords } = lessons;
  for (const [index, note] of notes.entries()) put(projection, `q${index}`, note);
  for (const [name, questions] of Object.entries({
    "sharing words": sharingWords,
    "in other words": inOtherWords,
  })) {
    const ranks = questions.map(([question, answers]) => {
      const found = recall(projection, { q: question as string, limit: 10, order: "weighed" }, NOW);
      const rank = found.findIndex(({ id }) => (answers as number[]).some((answer) => id === `q${answer}`));
      return rank < 0 ? Number.POSITIVE_INFINITY : rank;
    });
    const within = (limit: number) => ranks.filter((rank) => rank < limit).length;
    console.log(
      `lessons, ${name}: ${within(1)} of ${ranks.length} answered by the first of ${notes.length} memories, ${within(3)} by the first three, ${within(10)} by the first ten`,
    );
  }
}

/** Asks what somebody asked who knew the notes and had not to avoid their words. */
function naturalQuestions(): void {
  const projection = new MemoryProjection();
  const { notes, questions } = natural;
  for (const [index, note] of notes.entries()) put(projection, `q${index}`, note);
  const ranks = questions.map(([question = "", note = ""]) => rankOf(projection, question, note, notes));
  const within = (limit: number) => ranks.filter((rank) => rank < limit).length;
  console.log(
    `natural questions: ${within(1)} of ${ranks.length} answered by the first of ${notes.length} memories, ${within(3)} by the first three, ${within(10)} by the first ten`,
  );
}

/** Counts a stranger's corrections that are linked, and pairs of statements alike of which both hold, that are too. */
function strangersStatements(): void {
  const linked = (pairs: string[][]) =>
    pairs.filter(([earlier = "", later = ""]) => outcome(earlier, later, "").linked).length;
  const { replaced, together } = strangers;
  console.log(
    `a stranger's statements: ${linked(replaced)} of ${replaced.length} corrections linked, and ${linked(together)} of ${together.length} pairs that both hold`,
  );
}

type Questions = typeof QUESTIONS;

function ask(questions: Questions, set: keyof Questions, name: string): void {
  const projection = new MemoryProjection();
  const memories = [...questions.tuned, ...questions["held back"]].map(([, memory]) => memory);
  for (const [index, memory] of memories.entries()) put(projection, `q${index}`, memory);
  const ranks = questions[set].map(([question, memory]) => rankOf(projection, question, memory, memories));
  const within = (limit: number) => ranks.filter((rank) => rank < limit).length;
  console.log(
    `questions in other words, ${name} ${set}: ${within(1)} of ${ranks.length} answered by the first of ${memories.length} memories, ${within(3)} by the first three`,
  );
}

function outcome(earlier: string, later: string, question: string) {
  const projection = new MemoryProjection();
  put(projection, "m1", earlier);
  projection.use("m1", { count: 1, lastAt: NOW });
  const [verdict] = finish(compare(projection, [considered(later).probe], NOW - 1));
  const supersedes = verdict?.outcome === "new" ? verdict.supersedes : undefined;
  put(projection, "m2", later, supersedes ? ["m1"] : []);
  const [first] = recall(projection, { q: question, limit: 5, order: "weighed" }, NOW);
  const kept = verdict?.outcome === "new";
  return { kept, linked: supersedes !== undefined, first: kept && first?.id === "m2" };
}

function rankOf(
  projection: MemoryProjection,
  q: string,
  memory: string,
  memories: readonly string[],
): number {
  const found = recall(projection, { q, limit: 10, order: "weighed" }, NOW);
  const rank = found.findIndex(({ id }) => id === `q${memories.indexOf(memory)}`);
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}

function considered(content: string) {
  return finish(analyse({ content, kind: "fact", tags: [] }));
}

function put(projection: MemoryProjection, id: string, content: string, supersedes: string[] = []): void {
  const { document } = considered(content).analysed;
  const times = { at: NOW, createdAt: NOW, updatedAt: NOW };
  const more = supersedes.length > 0 ? { supersedes } : {};
  finish(projection.put(id, { ...document, ...times, merges: 0, ...more }, content.length));
}
