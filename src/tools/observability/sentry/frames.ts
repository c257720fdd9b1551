import { callIn } from "../call.ts";
import type { Frame } from "../reported-error.ts";
import { type Json, list, number, object, scalar, text } from "./fields.ts";

/** Calls that are read of a stack: those nearest to the failure. */
export const MAX_FRAMES = 50;
/** Characters of a function's or file's name. */
const MAX_NAME = 2000;

/** One call as Sentry's SDKs describe it: https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/ */
export interface SourceFrame extends Frame {
  line?: number | undefined;
  column?: number | undefined;
  /** Path or URL that the code was loaded from. */
  path?: string | undefined;
}

/** What a program's calls have in common. */
export interface Program {
  platform: unknown;
  images: readonly Image[];
}

/** A file of machine code, and the addresses that it was loaded to. */
interface Image {
  file: string;
  from: number;
  to: number;
}

/** Reads https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/ */
export function imagesOf(images: readonly unknown[]): Image[] {
  return images.map(object).flatMap(({ code_file, image_addr, image_size }) => {
    const [file, from, size] = [lastOf(nameIn(code_file)), addressOf(image_addr), addressOf(image_size)];
    return file !== undefined && from >= 0 && size > 0 ? [{ file, from, to: from + size }] : [];
  });
}

/** Returns the calls with the innermost first; Sentry has it last. */
export function framesOf(stacktrace: unknown, { platform, images }: Program): SourceFrame[] {
  const frames = list(object(stacktrace).frames) ?? [];
  const told = Array.from(frames.slice(-MAX_FRAMES), object).reverse();
  const isAnyOwn = told.some(({ in_app }) => in_app === true);
  return told.map((frame) => {
    const on = text(frame.platform) ?? text(platform) ?? "";
    // Sentry's placeholder for a function without a name.
    const name = frame.function === "?" ? undefined : nameIn(frame.function);
    const module = nameIn(frame.module);
    const path = nameIn(frame.abs_path);
    const file =
      nameIn(frame.filename) ?? path ?? module ?? addressIn(frame, images) ?? lastOf(nameIn(frame.package));
    const isLibrary = isLibraryFile(file) || isLibraryFile(path) || isLibraryModule(module);
    const isOwn = isAnyOwn && frame.in_app === true && !(CALLS_ALL_OWN.has(on) && isLibrary);
    return {
      function: name,
      file,
      owner: NAMED_BY_BUILDS.has(on) ? undefined : (module ?? (on === "ruby" ? file : undefined)),
      inApp: isAnyOwn ? isOwn : !isLibrary,
      path,
      line: number(frame.lineno),
      column: number(frame.colno),
      module,
    };
  });
}

/** Returns an address in machine code without a name, as `libshop.so+0x1f2c`: where a file is loaded to differs in each run. */
function addressIn(frame: Json, images: readonly Image[]): string | undefined {
  const address = addressOf(frame.instruction_addr);
  const image = images.find(({ from, to }) => address >= from && address < to);
  if (image === undefined || nameIn(frame.function) !== undefined) return undefined;
  return `${image.file}+0x${(address - image.from).toString(16)}`;
}

/** Reads a number, or a text such as `0x7f1c`. */
function addressOf(value: unknown): number {
  return Number(scalar(value) ?? Number.NaN);
}

/** Returns a line that shows a call as V8 does. */
export function lineOf({ line, column, ...frame }: SourceFrame): string {
  const place = [frame.file ?? "<unknown>", line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
  return `    at ${callIn(frame, place)}`;
}

/** Platforms whose SDKs name the module of a call by its file, which bundlers name anew with each build. */
const NAMED_BY_BUILDS: ReadonlySet<string> = new Set(["javascript", "node"]);

/** Platforms whose SDKs call all code the program's own, unless they are told otherwise. */
const CALLS_ALL_OWN: ReadonlySet<string> = new Set(["javascript", "php"]);

const LIBRARY_FOLDER =
  /(?:^|[/\\])(?:node_modules|site-packages|dist-packages|vendor|gems|rubygems|pkg[/\\]mod|\.cargo|rustc)[/\\]/;
const RUNTIME_FILE =
  /^(?:node:|internal\/|<frozen |<internal:|<anonymous>|\[native code\]|native code|\/rustc\/|\/usr\/(?:local\/)?(?:lib|go\/src)\/)/;

function isLibraryFile(file = ""): boolean {
  return LIBRARY_FOLDER.test(file) || RUNTIME_FILE.test(file);
}

/** What comes with Java, Android, Kotlin, Scala, Clojure, .NET and Go, and the frameworks that call most programs there. */
const LIBRARY_MODULE =
  /^(?:javax?|jakarta|jdk|sun|com\.sun|kotlinx?|scala|clojure|groovy|androidx?|dalvik|com\.(?:android|google|fasterxml|zaxxer)|libcore|org\.(?:springframework|apache|hibernate|eclipse|jboss|junit|postgresql|slf4j)|io\.(?:netty|reactivex|quarkus|micronaut|grpc|ktor)|reactor|rx|okhttp3|retrofit2|akka|System|Microsoft|runtime|net\/http|reflect)(?:\.|$)/;

function isLibraryModule(module = ""): boolean {
  return LIBRARY_MODULE.test(module);
}

/** Returns the name of a file, without the folders that it is installed in. */
function lastOf(path: string | undefined): string | undefined {
  return path?.split(/[/\\]/).at(-1);
}

function nameIn(value: unknown): string | undefined {
  return text(value)?.slice(0, MAX_NAME);
}
