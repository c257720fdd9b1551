import { maskSecrets } from "../../../text/secrets/mask-secrets.ts";
import { type Category, type Ecosystem, ecosystemCalled } from "../categories.ts";
import type { Diagnosis, Finding } from "../diagnosis.ts";
import { fingerprintOf } from "../fingerprint.ts";
import { adviceFor } from "../suggestions/advise.ts";
import { type Candidate, isFinding } from "./candidate.ts";
import { categoryOf, categoryOfExit, confidenceOf } from "./category.ts";
import { ecosystemOf } from "./ecosystem.ts";
import { excerptOf } from "./excerpt.ts";
import { failureOf, silentFailure } from "./failure.ts";
import { firstFinding } from "./first-finding.ts";
import { placeOf } from "./location.ts";
import { splitLines } from "./log-lines.ts";
import { type Reading, readLog, textAt } from "./reading.ts";
import { causeOf, signatureOfExit } from "./verdict.ts";
import { template, weigh } from "./weighing.ts";

export interface Log extends Build {
  log: string;
  ecosystem?: string | undefined;
  /** The directory that the build ran in. */
  directory?: string | undefined;
}

/** The command of a build, and how it ended. */
export interface Build {
  command?: string | undefined;
  exitCode?: number | undefined;
}

/** Reads a log of any size in one pass. Pure: the same log gives the same diagnosis. */
export function diagnose({ log, command, exitCode, ecosystem: given, directory }: Log): Diagnosis {
  const lines = splitLines(withoutZeros(log));
  const reading = readLog(lines, directory);
  weigh(reading);
  const heaviest = causeOf(reading, exitCode);
  const best = heaviest && firstFinding(reading, heaviest);
  const named = given === undefined ? undefined : ecosystemCalled(given);
  const ecosystem = named ?? ecosystemOf(reading, best, command);
  if (!best) return withoutCause(ecosystem, command, exitCode);

  const category = categoryOf(reading, best, exitCode);
  const cause = findingOf(reading, best, category);
  const excerpt = excerptOf(reading, best).map((index) => ({
    number: index + 1,
    text: shown(textAt(lines, index) ?? ""),
  }));
  return {
    fingerprint: fingerprintOf(category, cause.message),
    category,
    ecosystem,
    confidence: confidenceOf(reading, heaviest as Candidate),
    cause: { ...cause, excerpt },
    alsoSeen: alsoSeen(reading, best),
    suggestions: adviceFor(failureOf(reading, best, { cause, ecosystem, command })),
  };
}

/**
 * Removes the zeros of UTF-16 that was read as UTF-8, whole or in part, such as the lines of `wsl.exe` among
 * those of others.
 */
function withoutZeros(log: string): string {
  return log.includes("\0") ? log.replaceAll("\0", "").replace(/^\ufffd+/, "") : log;
}

/** Returns the diagnosis of a build that succeeded, or that failed without any output. */
function withoutCause(ecosystem: Ecosystem, command: string | undefined, exitCode = 0): Diagnosis {
  const category = categoryOfExit(exitCode);
  return {
    fingerprint: fingerprintOf(category, ""),
    category,
    ecosystem,
    confidence: 0,
    cause: null,
    alsoSeen: [],
    suggestions:
      exitCode === 0
        ? []
        : adviceFor(silentFailure({ category, ecosystem, signature: signatureOfExit(exitCode).id, command })),
  };
}

const MAX_MESSAGE_LENGTH = 1000;
const MAX_LINE_LENGTH = 500;

function findingOf(reading: Reading, candidate: Candidate, category: Category): Finding {
  const { signature, text, index, diagnostic } = candidate;
  const { severity, code } = diagnostic ?? {};
  return {
    category,
    rule: signature.id,
    message: maskSecrets(text.trim().slice(0, MAX_MESSAGE_LENGTH)).text,
    logLine: index + 1,
    ...placeOf(reading, candidate),
    ...(severity && { severity }),
    ...(code && { code }),
  };
}

function shown(text: string): string {
  return maskSecrets(text.slice(0, MAX_LINE_LENGTH)).text;
}

const MAX_ALSO_SEEN = 500;
const WITHIN = 30;

/**
 * Returns the other failures: findings in files if the cause is such a finding, and lines that are nearly as
 * likely the cause, without duplicates.
 */
function alsoSeen(reading: Reading, best: Candidate): Finding[] {
  const seen = new Set([template(best.text)]);
  const others: Finding[] = [];
  for (const candidate of reading.candidates) {
    if (others.length >= MAX_ALSO_SEEN) break;
    const { signature, score, text, diagnostic } = candidate;
    const told = signature.role !== "exit" && score >= best.score - WITHIN;
    if (candidate === best || !(told || (diagnostic && isFinding(best)))) continue;
    const key = diagnostic ? `${diagnostic.file}\n${text}` : template(text);
    if (seen.has(key)) continue;
    seen.add(key);
    others.push(findingOf(reading, candidate, signature.category ?? "unknown"));
  }
  return others;
}
