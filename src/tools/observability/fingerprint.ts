import { hash } from "node:crypto";
import type { Frame, ReportedError } from "./reported-error.ts";

/** Calls that are part of the fingerprint: those nearest to the failure. */
const TELLING_FRAMES = 5;
const DEFAULT_GROUPING = /^\{\{\s*default\s*\}\}$/;

/**
 * Functions without a name, which compilers number in the order of a file: Java's and Kotlin's `lambda$run$2`, Go's `Run.func1.2`,
 * C#'s `<>c__DisplayClass5_0.<Run>b__1` and `<Run>g__Save|5_0`, Swift's `closure #1 in run()`.
 */
const NUMBERED = /([$.|]|__|DisplayClass|\bfunc|gowrap|\bclosure #)\d+(?:_\d+)*(?![\p{L}\p{N}])/gu;
/**
 * What a program that runs adds to the names of classes that it makes: Java's `Shop$$Lambda$14/0x7f0012`, `Shop$$SpringCGLIB$$1a2b3c`,
 * `Shop$HibernateProxy$x8f3` and `$Proxy7`, PHP's `class@anonymous /srv/shop.php:12$0`.
 */
const MADE =
  /(?<=\$\$Lambda)\b[$/\w]*|(?<=CGLIB\$\$)[0-9a-f]+|(?<=\$HibernateProxy\$)\w+|(?<=_\$\$_)\w+|(?<=\$Proxy|MethodAccessor|ConstructorAccessor)\d+|(?<=@anonymous)[\0\s].*?(?=::|$)/g;

/**
 * Returns a fingerprint that is the same for every occurrence of an error, whatever ids, numbers and
 * addresses its message has.
 */
export function fingerprintOf(told: ReportedError): string {
  const { source, type, template, message, frames, causes = [], grouping } = told;
  const thrown = keyOf(type, template ?? message, callsOf(frames));
  const usual = JSON.stringify(causes.length === 0 ? thrown : [...thrown, causesOf(causes)]);
  const parts = grouping?.length
    ? grouping.map((part) => (DEFAULT_GROUPING.test(part) ? usual : part))
    : [usual];
  return `err_${hash("sha256", JSON.stringify([source, ...parts]), "hex").slice(0, 24)}`;
}

type Calls = [name: string, place: string][];

function keyOf(type: string, said: string, calls: Calls): [string, string, Calls] {
  // The calls tell errors apart better than a path, which names the user, file or resource that it happened to.
  return [type, alike(calls.length > 0 ? withoutPaths(said) : said), calls];
}

/** Returns the causes in one order and each once: of a group of errors, how many there are and which was first differs. */
function causesOf(causes: NonNullable<ReportedError["causes"]>): string[] {
  const keys = causes.map(({ type, message, frames }) => {
    const calls = callsOf(frames);
    return JSON.stringify(calls.length > 0 ? [type, "", calls] : keyOf(type, message, calls));
  });
  return [...new Set(keys)].sort();
}

/** Returns the innermost calls of the program itself, without line numbers, which move with every change to a file. */
function callsOf(frames: readonly Frame[]): Calls {
  const own = frames.filter(({ inApp }) => inApp);
  const telling = (own.length > 0 ? own : frames).slice(0, TELLING_FRAMES);
  return telling.map(({ function: name, file, owner }) =>
    name ? [lasting(name), owner === undefined ? "" : lasting(owner)] : ["", file ?? ""],
  );
}

/** Returns the part of a name that is the same in each build and run. */
function lasting(name: string): string {
  return name.replace(MADE, "").replace(NUMBERED, "$1#");
}

/** Replaces what follows the host of a URL, and absolute paths of two names or more. */
function withoutPaths(message: string): string {
  return message
    .replace(
      /\b([a-z][a-z0-9+.-]{1,15}:\/\/[^\s/"'`<>()?#]{1,253})(?:\[masked [^\]\s]{1,30}\]|[^\s"'`<>()])*/gi,
      "$1",
    )
    .replace(
      /(?<![\p{L}\p{N}_/\\.:~-])(?:~|[a-z]:)?(?:[/\\](?:\[masked [^\]\s]{1,30}\]|[^\s/\\"'`<>()|:*?])+){2,}[/\\]?/giu,
      "#",
    );
}

/** Replaces the parts of a message that differ between occurrences. */
function alike(message: string): string {
  return (
    message
      .replace(/"[^"\n]{0,300}"|`[^`\n]{0,300}`|[“„][^“”\n]{0,300}[“”]|«[^«»\n]{0,300}»/g, '""')
      // An apostrophe, as in "can't" and "o'neil", neither begins nor ends a quotation; b'…' is Python's.
      .replace(/(?<![\p{L}\p{N}])[bfru]?'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){0,300}'(?![\p{L}\p{N}])/gu, '""')
      // The values of a query.
      .replace(/\?[\w.~%[\]-]{1,100}=[^\s"'`<>()]*/g, "?")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "#")
      .replace(/\b0x[0-9a-f]+\b/gi, "#")
      .replace(
        /\b[a-z]{2,8}_(?:[0-9a-z]{20,}|(?=[0-9A-Za-z]*\d)(?=[0-9A-Za-z]*[A-Z])[0-9A-Za-z]{10,})\b/g,
        "#",
      )
      // A pod of a Kubernetes deployment: the hash of its template, and five letters.
      .replace(
        /-(?:[0-9a-f]{6,10}|[2456789bcdfghj-np-tv-xz]{6,10})-[2456789bcdfghj-np-tv-xz]{5}(?![0-9A-Za-z])/g,
        "-#",
      )
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b/gi, "#")
      // Of an HTTP status, the class: 4 for the client's fault, 5 for the server's.
      .replace(
        /\b(status(?: ?code)?|HTTP(?:\/\d(?:\.\d)?)?)([\s:=(]{1,3})([1-5])\d\d\b/gi,
        (_, name: string, between: string, digit: string) => `${name}${between}class ${"abcde"[+digit - 1]}`,
      )
      // A sign, a fraction, thousands.
      .replace(/(?<![\w)])-(?=\d)/g, "")
      .replace(/\d+(?:[.,]\d+)*/g, "#")
      // Durations and sizes, whatever their unit: 590.7ms, 1m35s, 12 seconds, 424 KB, 1.5 MiB.
      .replace(
        /(?:# ?(?:[mnuµμ]?s|[hmd]|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|[kKMGTP]?i?B|bytes?)(?![\p{L}\p{N}]) ?)+/gu,
        "# ",
      )
      // Lists of any length.
      .replace(/#(?:, ?#)+/g, "#")
      .replace(/""(?:, ?"")+/g, '""')
  );
}
