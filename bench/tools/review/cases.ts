import { createHash } from "node:crypto";
import type { Finding, RuleId } from "../../../src/tools/code-review/finding.ts";
import { review } from "../../../src/tools/code-review/review.ts";

/** The folder of the external data. */
export const DATA = "03-code-review";

/** Returns the half of the data that a case is in. Only cases of the first are printed; the second stays unseen. */
export function halfOf(id: string): 0 | 1 {
  return ((createHash("sha256").update(id).digest()[3] as number) & 1) as 0 | 1;
}

/** Reviews a diff that adds a whole file. */
export function findingsIn(id: string, text: string, only?: readonly RuleId[]): Finding[] {
  const lines = text.split("\n");
  const path = id.replace(/^\w+\//, "");
  const diff = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  return review({ diff, ...(only && { rules: { only } }) }).findings;
}

export function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${(part / whole).toFixed(2).replace(/^0/, "")} (${part} of ${whole})`;
}
