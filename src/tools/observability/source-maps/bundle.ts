import { deflateRawSync } from "node:zlib";
import { MAX_FILES, MAX_MAP_BYTES, MAX_MAPS, MAX_UNPACKED_BYTES } from "./bounds.ts";
import { debugIdOf } from "./debug-id.ts";
import { readSourceMap } from "./source-map.ts";
import { entriesOf, malformed, shown, unpacked, type ZipEntry } from "./zip.ts";

/** A source map of a bundle. */
export interface BundledMap {
  debugId: string;
  /** URL that the program loads it from: `~/assets/app.js.map`. */
  url: string;
  /** The map's JSON, deflated. */
  packed: Buffer;
}

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
const MAX_URL = 300;

/**
 * Returns the source maps of an artifact bundle: a zip of files, with a `manifest.json` that says what they
 * are (https://github.com/getsentry/symbolic, `sourcebundle`). A map without a debug id cannot be found and
 * is left out. Throws `Problem` if the bundle is malformed or too large.
 */
export function mapsIn(bundle: Buffer): BundledMap[] {
  const entries = entriesOf(bundle, MAX_FILES);
  const maps: BundledMap[] = [];
  let left = MAX_UNPACKED_BYTES;
  for (const [name, { type, url, headers }] of Object.entries(manifestOf(entries))) {
    const entry = entries.get(name);
    const debugId = debugIdIn(headers);
    if (type !== "source_map" || debugId === undefined || !entry) continue;
    if (maps.length === MAX_MAPS) throw malformed(`it holds more than ${MAX_MAPS} source maps`);
    const json = unpacked(entry, MAX_MAP_BYTES);
    left -= json.length;
    if (left < 0) throw malformed(`it has more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB unpacked`);
    const read = readSourceMap(json);
    if ("why" in read) throw malformed(`${shown(name)} ${read.why}`);
    const packed = entry.method === 0 ? deflateRawSync(json) : entry.bytes;
    maps.push({
      debugId,
      url: typeof url === "string" ? url.slice(0, MAX_URL).toWellFormed() : name,
      packed,
    });
  }
  if (maps.length > 0) return maps;
  throw malformed("none of its source maps has a debug id. Run: sentry-cli sourcemaps inject <folder>");
}

interface Listed {
  type?: unknown;
  url?: unknown;
  headers?: unknown;
}

function manifestOf(entries: ReadonlyMap<string, ZipEntry>): Record<string, Listed> {
  const entry = entries.get("manifest.json");
  if (!entry) throw malformed("it has no manifest.json");
  let files: unknown;
  try {
    ({ files } = JSON.parse(unpacked(entry, MAX_MANIFEST_BYTES).toString("utf8")));
  } catch {
    throw malformed("its manifest.json is none");
  }
  if (typeof files !== "object" || files === null) throw malformed("its manifest.json lists no files");
  return Object.fromEntries(Object.entries(files).filter(([, file]) => typeof file === "object" && file));
}

function debugIdIn(headers: unknown): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === "debug-id") ?? [];
  return debugIdOf(value);
}
