import type { RouteInput } from "../../../client/routes.ts";
import { askTool } from "../../ask-tool.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import type { CommonOptions } from "../../options.ts";
import { jsonText } from "../../ui/terminal-text.ts";
import { annotations } from "./annotations.ts";
import { diffOf } from "./diff.ts";
import { filesOf } from "./files.ts";
import { type Review, reportOf } from "./report.ts";

const ROUTE = "POST /api/v1/tools/code-review";
type Input = RouteInput<typeof ROUTE>;

export const FORMATS = ["text", "json", "sarif", "github"] as const;
/** The context in which a change is reviewed: its whole file, or only its hunk. */
export const CONTEXTS = ["file", "none"] as const;
export const SEVERITIES = ["error", "warning", "info"] as const;
type Severity = (typeof SEVERITIES)[number];

interface Options extends CommonOptions {
  staged?: boolean;
  all?: boolean;
  format: (typeof FORMATS)[number];
  failOn?: Severity;
  minSeverity?: Severity;
  only?: string[];
  except?: string[];
  context: (typeof CONTEXTS)[number];
  record: boolean;
}

/** Reviews a git diff, the one on stdin, or whole files. */
export async function review(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { format, failOn, minSeverity, only, except, record, staged = false, all = false } = options;
  const diff = await diffOf(context, { words, staged, all });
  const { files, imports } = options.context === "none" ? {} : await filesOf(diff, context.io);
  const input = {
    diff: diff.text,
    files,
    imports,
    rules: { only, except } as Input["rules"],
    minSeverity,
  };
  const { progress } = context;
  const asking = { replayable: true, record: record && !diff.unsent, newer: ["files", "imports"] };
  if (format === "sarif" && !options.json) {
    const asked = askTool(context, ROUTE, input, { ...asking, accept: "application/sarif+json" });
    const { answer, isRecorded } = await progress.during("Reviewing", asked);
    const sarif = answer as unknown as Sarif;
    const { bySeverity } = sarif.runs[0].properties.summary;
    return {
      document: sarif,
      raw: `${jsonText(sarif, 2)}\n`,
      exitCode: exitCodeOf(bySeverity, failOn),
      isRecorded,
    };
  }
  const { answer: document, isRecorded } = await progress.during(
    "Reviewing",
    askTool(context, ROUTE, input, asking),
  );
  return {
    document,
    isRecorded,
    exitCode: exitCodeOf(document.summary.bySeverity, failOn),
    ...(format === "json" && { raw: `${jsonText(document, 2)}\n` }),
    ...(format === "github" && { lines: annotations(document) }),
    ...(format === "text" && { lines: reportOf(document, context, diff.whole ?? false) }),
  };
}

interface Sarif {
  runs: [{ properties: { summary: Review["summary"] } }];
}

function exitCodeOf(found: Review["summary"]["bySeverity"], failOn: Severity | undefined): number {
  const counted = failOn ? SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1) : [];
  return counted.some((severity) => found[severity] > 0) ? EXIT.negative : EXIT.done;
}
