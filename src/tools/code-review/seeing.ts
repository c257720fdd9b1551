import { defined } from "../../system/defined.ts";
import type { FileChange, Line } from "./diff/file-change.ts";
import type { CallElsewhere, Place, Rule, Severity, Sighting } from "./finding.ts";
import { calleeOf } from "./flow/functions/callee.ts";
import { LEVEL } from "./flow/level.ts";
import { provenanceOf } from "./flow/provenance.ts";
import type { Target } from "./flow/target.ts";
import type { Project } from "./project.ts";
import { adviceFor } from "./rules/sightings/advice.ts";
import { appliesTo, isInTestModule, severityIn } from "./severity.ts";
import { isSuppressed } from "./suppression.ts";
import type { Fragment } from "./syntax/fragment.ts";

/** What is said of the file that something is seen in. */
type In = Pick<Fragment, "path" | "language" | "lines">;

/** A sighting on an added line, with all that a finding says. */
export interface Seen extends Place {
  rule: Rule;
  severity: Severity;
  message: string;
  suggestion: string;
  cwe?: number;
  suppressed: boolean;
  secret?: string;
  path: string;
  source: Line;
}

/** Where the least is harmless: what a client sends elsewhere, it sends to one of these. */
const LEAST_HARMLESS: readonly Target[] = ["code", "markup"];

/** Maximum calls of functions outside of the diff whose arguments are followed: a large change stays a matter of a second. */
const MAX_ENTERING = 100;
/** Maximum files outside of the diff that are checked because calls lead to them, and files from a call to the last one. */
const [MAX_BEHIND, DEEPEST] = [50, 2];

/** Checks the changes of a review, and the files to which calls on added lines pass what a client sends. */
export class Seeing {
  readonly #taken = new WeakMap<Line, Set<Rule>>();
  readonly #checked = new Set<string>();
  readonly #entered = new Set<string>();
  #entering = MAX_ENTERING;

  constructor(
    private readonly project: Project,
    private readonly rules: readonly Rule[],
  ) {}

  *inChange(change: FileChange): Iterable<Seen> {
    const { path } = change;
    for (const { lines } of this.project.hunksOf(change)) {
      if (!lines.some(({ added }) => added)) continue;
      this.#checked.add(path);
      const applicable = this.rules.filter((rule) => appliesTo(rule, path));
      for (const [index, fragment] of this.project.fragmentsOf(path, lines).entries()) {
        this.enterFrom(fragment, (at) => fragment.isAdded(fragment.lineOf(at)));
        for (const rule of applicable) {
          // Markup with scripts has two fragments of the same text; rules for any language check the first one only.
          const applies = rule.languages === "any" ? index === 0 : rule.languages.includes(fragment.language);
          if (applies) yield* this.seenBy(rule, fragment);
        }
      }
    }
  }

  /** Checks files outside of the diff for flaws to which calls on added lines lead. */
  *behindCalls(): Iterable<Seen> {
    const applicable = this.rules.filter(({ category }) => category === "security");
    for (let depth = 0, from = 0; depth < DEEPEST; depth++) {
      const paths = [...this.#entered].slice(from, MAX_BEHIND);
      from += paths.length;
      for (const path of paths) {
        const fragment = this.#checked.has(path) ? undefined : this.project.file(path);
        if (!fragment) continue;
        this.enterFrom(fragment, () => true);
        for (const rule of applicable)
          if (rule.languages.includes(fragment.language)) yield* this.seenBy(rule, fragment);
      }
    }
  }

  /** Notes the files to which calls pass what a client sends. */
  private enterFrom(fragment: Fragment, isMeant: (at: number) => boolean): void {
    if (!this.project.leavesDiff(fragment.path)) return;
    for (const { args, path, start } of fragment.calls) {
      if (args.length === 0 || !isMeant(start)) continue;
      const callee = calleeOf(fragment, `${path}()`, start);
      if (!callee || callee.fragment === fragment || this.#entered.has(callee.fragment.path)) continue;
      if (--this.#entering < 0) return;
      const isSent = LEAST_HARMLESS.some((target) =>
        args.some((range) => provenanceOf(fragment, target).of(range) === LEVEL.request),
      );
      if (isSent) this.#entered.add(callee.fragment.path);
    }
  }

  private *seenBy(rule: Rule, fragment: Fragment): Iterable<Seen> {
    for (const sighting of rule.check(fragment)) {
      const place = sighting.places.find(({ line }) => fragment.isAdded(line));
      const { by = [], places } = sighting;
      if (place) {
        if (this.take(rule, fragment, place))
          yield seenAs(passedOn(sighting, by), place, rule, fragment, isInTestModule(fragment, place.line));
        continue;
      }
      const [sink] = places;
      for (const first of sink ? by : []) {
        const caller = [first, ...(first.onward ?? [])].find(({ lines, place }) => lines[place.line]?.added);
        if (!sink || !caller || !this.take(rule, caller, caller.place)) continue;
        const passing = passingOn(
          sighting,
          numbered(fragment, sink.line),
          caller === first ? undefined : first,
        );
        const seen = seenAs(passing, caller.place, rule, caller);
        yield { ...seen, suppressed: seen.suppressed || isSuppressed(fragment.lines, sink.line, rule.id) };
      }
    }
  }

  /** Whether a rule has not reported this line yet. */
  private take(rule: Rule, { lines }: In, { line }: Place): boolean {
    const source = lines[line] as Line;
    const taken = this.#taken.get(source) ?? new Set();
    this.#taken.set(source, taken);
    if (taken.has(rule)) return false;
    taken.add(rule);
    return true;
  }
}

/** Says which call passes on what a flaw gets. */
function passedOn(sighting: Sighting, [first]: readonly CallElsewhere[]): Sighting {
  if (!first) return sighting;
  return withMore(sighting, `${numbered(first, first.place.line)} passes it on`);
}

/** Says where the flaw is to which a call leads, and which call of the function around it brings what a client sends. */
function passingOn(sighting: Sighting, flaw: string, first?: CallElsewhere): Sighting {
  const passes = `passes it on to ${flaw}`;
  const from = first && `${numbered(first, first.place.line)} gives it to this call, which ${passes}`;
  return withMore(sighting, from ?? `this call ${passes}`);
}

function withMore(sighting: Sighting, more: string): Sighting {
  return { ...sighting, message: `${(sighting.message ?? "").replace(/\.$/, "")}: ${more}.` };
}

function numbered({ path, lines }: In, line: number): string {
  return `${path}:${lines[line]?.number}`;
}

function seenAs(
  { severity, message, suggestion, cwe, secret }: Sighting,
  place: Place,
  rule: Rule,
  { path, language, lines }: In,
  // Only Rust has modules of tests, and its imports are not followed.
  inTests = false,
): Seen {
  const ofClass = cwe ?? rule.cwe;
  return {
    ...place,
    rule,
    severity: severityIn(path, rule, severity ?? rule.severity, inTests),
    message: message ?? rule.message,
    suggestion: suggestion ?? adviceFor(rule.id, language) ?? rule.suggestion,
    ...defined({ cwe: ofClass }),
    suppressed: isSuppressed(lines, place.line, rule.id),
    ...defined({ secret }),
    path,
    source: lines[place.line] as Line,
  };
}
