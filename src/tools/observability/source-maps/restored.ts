import type { StackPlace } from "../documents.ts";
import type { Frame, Told } from "../occurrence.ts";
import type { RestoredStack } from "./contract.ts";
import type { Original } from "./restore.ts";

/** What is known of the places of a stack, in their order. */
interface Known {
  places: readonly StackPlace[];
  originals: readonly (Original | null)[];
}

/**
 * A stack as it was before it was minified, with some lines around each call; undefined where nothing of it is known.
 *
 * @param header what stands above the calls, which may be lines.
 */
export function restoredStack(stack: string, header: string, known: Known): RestoredStack | undefined {
  const lines = stack.split("\n");
  const above = header.split("\n").length;
  const byCall = originalsByCall(known);
  const frames = [...byCall].flatMap(([call, { file, line, column, source }]) => {
    const at = above + call;
    const minified = lines[at];
    if (minified === undefined) return [];
    const name = nameOf(byCall, call) ?? /^ +at (.+) \(/.exec(minified)?.[1];
    const place = `${file}:${line}:${column}`;
    lines[at] = name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
    const called = name === undefined ? {} : { function: name };
    return [{ at, ...called, file, line, column, ...(source && { source }) }];
  });
  return frames.length === 0 ? undefined : { stack: lines.join("\n"), frames };
}

/**
 * An error as its program was written, to be one group in every build of it: what a bundler calls a function
 * changes from one build to the next.
 */
export function withOriginals(told: Told, known: Known): Told {
  const byCall = originalsByCall(known);
  const frames = told.frames.map((frame, call): Frame => {
    const original = byCall.get(call);
    if (!original) return frame;
    const { file } = original;
    const inApp = !/(?:^|\/)node_modules\//.test(file);
    // Where no caller says what the function is called, its file stands for it, and the minified name for nothing.
    return { function: nameOf(byCall, call), file, inApp };
  });
  return { ...told, frames };
}

function originalsByCall({ places, originals }: Known): ReadonlyMap<number, Original> {
  return new Map(
    places.flatMap(({ call }, index) => {
      const original = originals[index];
      return original ? [[call, original] as const] : [];
    }),
  );
}

/** A map names what is called at a place: the function of a call stands in the call around it. */
function nameOf(byCall: ReadonlyMap<number, Original>, call: number): string | undefined {
  return byCall.get(call + 1)?.name;
}
