import type { Around } from "./diagnostic.ts";
import { FOREIGN_CLASS, FRAMES, PYTHON_FRAME } from "./place-formats.ts";

interface FramePlace {
  file: string;
  line?: number;
  column?: number;
}

const FARTHEST = 40;
/** Maximum number of lines between a message and its stack, such as code and values in a test report. */
const STRANGE = 25;
/** Where the next test's report begins: Mocha and others number them, TAP counts all tests. */
const NEXT_TEST = /^\s{0,4}\d{1,5}\) \S|^\s*(?:not )?ok \d+\b/;

/**
 * Finds the first frame of the project in a stack below. Frames of Java name no folder and those of Elixir one that
 * each library has, so where the class of the `test` or the module of its `suite` is known, a frame from its package is
 * preferred to the first one, which may be a library's.
 */
export function stackBelow<P extends FramePlace>(
  around: Around,
  own: (place: FramePlace) => P | undefined,
  { test, suite }: Record<string, string | undefined>,
): P | undefined {
  const root = packageOf(test) ?? rootModuleOf(suite);
  let first: P | undefined;
  for (let offset = 1, strange = 0; offset <= FARTHEST && strange < STRANGE; offset++) {
    const text = around(offset);
    if (text === undefined || NEXT_TEST.test(text)) break;
    const frame = FRAMES.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
    if (!frame) {
      strange++;
      continue;
    }
    const place = own(placeOf(frame));
    if (!place) continue;
    const { class: name = "" } = frame;
    // who tests a framework has its packages
    const isTested = root !== undefined && name.startsWith(root);
    if (!isTested && FOREIGN_CLASS.test(name)) continue;
    if (root === undefined || name === "" || isTested) return place;
    first ??= place;
  }
  return first;
}

/** Lines between the heading of a failed test and Python's traceback: a rule. */
const BEFORE_TRACEBACK = 3;

/** Finds the innermost frame of the project in a Python traceback below the heading of a test: the last one. */
export function tracebackBelow<P extends FramePlace>(
  around: Around,
  own: (place: FramePlace) => P | undefined,
): P | undefined {
  let begin = 1;
  while (begin <= BEFORE_TRACEBACK && !/^Traceback \(most recent/.test(around(begin) ?? "")) begin++;
  let last: P | undefined;
  for (let offset = begin + 1; begin <= BEFORE_TRACEBACK && offset <= begin + FARTHEST; offset++) {
    const text = around(offset);
    if (!text?.startsWith(" ")) break;
    const frame = PYTHON_FRAME.exec(text)?.groups;
    last = (frame && own(placeOf(frame))) ?? last;
  }
  return last;
}

/** Returns the first parts of a class's package, which all classes of a project share. */
function packageOf(test = ""): string | undefined {
  return /^(?:[a-z]\w*\.){1,2}(?=(?:[a-z]\w*\.)*[A-Z])/.exec(test)?.[0];
}

/** Returns the first part of an Elixir module's name, which all modules of a project share: `Shop` of `ShopWeb.CartTest`. */
function rootModuleOf(suite = ""): string | undefined {
  return /^[A-Z]\w*?(?=(?:Web|Test)?(?:\.|$))/.exec(suite)?.[0];
}

function placeOf({ file = "", line, line2, column }: Record<string, string | undefined>): FramePlace {
  const at = line ?? line2;
  return { file, ...(at && { line: Number(at) }), ...(column && { column: Number(column) }) };
}
