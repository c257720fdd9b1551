import { posix } from "node:path";

/** Why a file is no text that people wrote. */
export type Reason = "binary" | "generated" | "large" | "link" | "unreadable";
export type LeftOut = Readonly<Record<Reason, readonly string[]>>;

/** Longer files are data, or bundles that nobody wrote. */
export const MAX_FILE_BYTES = 1 << 20;

const BINARY =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|o|a|so|dll|dylib|exe|wasm|pyc|whl|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|ogg|wav|flac|sqlite3?|db|bin|dat|parquet|npy|npz|pkl|pt|onnx|node)$/i;
const GENERATED_NAME =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.min\.(?:js|css|mjs)$|\.(?:js|css|mjs|cjs)\.map$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.g\.dart$/;
/** What generators write at the top of what they make. */
const GENERATED_MARK =
  /@generated\b|\bcode generated (?:by|from|with)\b|\b(?:auto-?|automatically )generated\b[^\n]{0,100}\b(?:do not|don't) (?:edit|modify|change)|\bgenerated\b[^\n]{0,60}\bdo not (?:edit|modify)\b/i;
const HEAD_CHARACTERS = 1000;
/** Of a line on average: nobody writes such code. */
const MINIFIED_CHARACTERS = 400;
const MINIFIED_BYTES = 5000;
const CODE = /\.(?:[cm]?[jt]sx?|css|html?)$/;

/** What the name alone says. */
export function reasonByName(path: string): Reason | undefined {
  if (BINARY.test(path)) return "binary";
  return GENERATED_NAME.test(path) ? "generated" : undefined;
}

/** What the contents say. */
export function reasonByText(path: string, contents: Buffer): Reason | undefined {
  if (contents.subarray(0, 8000).includes(0)) return "binary";
  const head = contents.toString("utf8", 0, HEAD_CHARACTERS);
  if (GENERATED_MARK.test(head) && posix.extname(path) !== ".md") return "generated";
  if (contents.length < MINIFIED_BYTES || !CODE.test(path)) return undefined;
  let lines = 1;
  for (let at = contents.indexOf(10); at >= 0; at = contents.indexOf(10, at + 1)) lines++;
  return contents.length / lines > MINIFIED_CHARACTERS ? "generated" : undefined;
}
