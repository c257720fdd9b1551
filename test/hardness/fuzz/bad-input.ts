import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { packageRoot } from "../../../src/system/package.ts";

const FOLDER = join(packageRoot, "../shared/data/10-bad-input");

/** Reason why the collections of bad input cannot be used here, or undefined if they can. */
export const noBadInput: string | undefined = existsSync(FOLDER)
  ? undefined
  : "../shared/data/10-bad-input is missing (JSONTestSuite and the Big List of Naughty Strings)";

/** A file of JSONTestSuite. With `either`, a parser may accept or reject it. */
export interface JsonSample {
  name: string;
  expect: "accept" | "reject" | "either";
  bytes: Buffer;
}

/** Reads the parsing tests, and the transform tests, whose texts are all well-formed or `either`. */
export function jsonSamples(): JsonSample[] {
  return ["jsontestsuite.jsonl.gz", "jsontestsuite_transform.jsonl.gz"].flatMap((file) =>
    unpack(file)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      // The collection leaves out two texts of 100,000 brackets, which the fuzzer makes itself.
      .filter(({ base64 }) => base64 !== null)
      .map(({ name, expect = "either", base64 }) => ({ name, expect, bytes: Buffer.from(base64, "base64") })),
  );
}

/** Reads the Big List of Naughty Strings. */
export function naughtyStrings(): string[] {
  const encoded: string[] = JSON.parse(unpack("blns.base64.json.gz"));
  return encoded.map((text) => Buffer.from(text, "base64").toString("utf8"));
}

function unpack(file: string): string {
  return gunzipSync(readFileSync(join(FOLDER, file))).toString("utf8");
}
