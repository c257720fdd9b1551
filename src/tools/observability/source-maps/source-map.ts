import { isObject } from "../../../system/is-object.ts";
import { MAX_DEPTH, MAX_MAPPINGS, MAX_SECTION_LINE, MAX_SECTIONS } from "./bounds.ts";

/** A source map (ECMA-426), before a library reads it. */
export type SourceMap = Record<string, unknown>;

/** Parses a source map and checks whether it may be read. If not, `why` is the end of a sentence. */
export function readSourceMap(json: Buffer): { map: SourceMap } | { why: string } {
  let map: unknown;
  try {
    // Some begin with a prefix that keeps browsers from running them (ECMA-426, "JSON over HTTP transport").
    map = JSON.parse(json.toString("utf8").replace(/^\)\]\}'[^\n]*\n/, ""));
  } catch {
    return { why: "is no JSON" };
  }
  const seen = { mappings: 0, maps: 0 };
  const why = faultOf(map, 0, seen);
  return why === undefined ? { map: map as SourceMap } : { why };
}

function faultOf(map: unknown, depth: number, seen: { mappings: number; maps: number }): string | undefined {
  if (!isObject(map)) return "is no source map";
  const { version, mappings, sections, sources } = map as SourceMap;
  if (Number(version) !== 3) return "is no source map of version 3";
  if (++seen.maps > MAX_SECTIONS || depth > MAX_DEPTH) return "has more sections than are read";
  if (Array.isArray(sections)) {
    for (const section of sections) {
      const { map: inner, offset } = (section ?? {}) as SourceMap;
      if (!isOffset(offset)) return "has a section without a place";
      if (offset.line > MAX_SECTION_LINE) return `has a section behind line ${MAX_SECTION_LINE}`;
      const fault = faultOf(inner, depth + 1, seen);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (typeof mappings !== "string" || !Array.isArray(sources)) return "is no source map";
  seen.mappings += mappings.length;
  if (seen.mappings > MAX_MAPPINGS) return `has more than ${MAX_MAPPINGS / 1024 / 1024} MiB of mappings`;
  return undefined;
}

function isOffset(offset: unknown): offset is { line: number; column: number } {
  const { line, column } = (offset ?? {}) as { line?: unknown; column?: unknown };
  return [line, column].every((each) => Number.isInteger(each) && (each as number) >= 0);
}
