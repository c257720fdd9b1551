import { rounded } from "./buckets.ts";
import { conversionOf, pathOf } from "./cell.ts";
import { Cohort } from "./cohort.ts";
import type { CohortAnswer } from "./contract.ts";
import type { CohortDocument, StandingDocument } from "./documents.ts";
import { BETTER, type MeasureType } from "./types.ts";

/** Where a value stands in the narrowest of its cohorts that is published. */
export interface Standing {
  answer: {
    percentile: number | null;
    betterThan: number | null;
    sameAs: number | null;
    cohort: CohortAnswer;
  };
  /** Absent without a cohort. */
  within?: { key: string; depth: number; isBetter: (bucket: number) => boolean };
}

/** @param unit the unit of the answer */
export async function standingIn(
  read: (key: string) => Promise<CohortDocument | undefined>,
  type: MeasureType,
  { key, bucket, told }: Pick<StandingDocument, "key" | "bucket" | "told">,
  unit: string,
): Promise<Standing> {
  const path = pathOf(key);
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const document = await read(path[depth] as string);
    if (!document || document.projects === 0) continue;
    const cohort = new Cohort(document);
    const { factor } = conversionOf(unit);
    const counted = told && told.depth >= depth ? told.bucket : undefined;
    const own = cohort.shares(bucket, counted);
    const { lower, same, higher } = cohort.others(bucket, counted);
    const worse = BETTER[type] === "lower" ? higher : lower;
    const quality = ({ below, above } = own) => (BETTER[type] === "lower" ? above : below);
    const quarter = (share: number) => Math.min(3, Math.floor(4 * share));
    return {
      answer: {
        percentile: cohort.percent(lower),
        betterThan: cohort.percent(worse),
        // The difference of rounded shares, so that the sum of both is a rounded share, too.
        sameAs: cohort.percent(worse + same) - cohort.percent(worse),
        cohort: {
          status: "ok",
          ...namesOf(path[depth] as string),
          projects: cohort.projects,
          p50: rounded(cohort.quantile(0.5) / factor),
          p90: rounded(cohort.quantile(0.9) / factor),
        },
      },
      within: {
        key: path[depth] as string,
        depth,
        isBetter: (of) => quarter(quality(cohort.shares(of))) > quarter(quality()),
      },
    };
  }
  return {
    answer: { percentile: null, betterThan: null, sameAs: null, cohort: { status: "insufficient_data" } },
  };
}

function namesOf(key: string): { language?: string; size?: string } {
  const [language, size] = key.split("|").slice(2, -1).map(decodeURIComponent);
  return { ...(language && { language }), ...(size && { size }) };
}
