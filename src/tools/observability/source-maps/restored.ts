import type { StackPlace } from "../documents.ts";
import type { Frame, ReportedError } from "../reported-error.ts";
import type { RestoredStack } from "./contract.ts";
import type { Original } from "./restore.ts";

/** The places of a stack and their originals, in the same order. */
interface Known {
  places: readonly StackPlace[];
  originals: readonly (Original | null)[];
}

/**
 * Returns a stack with original names and places, and source lines around each call; undefined if no call has
 * an original.
 *
 * @param header the text above the calls, which may have several lines.
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
 * Replaces the frames of an error by their originals, so that it is in one group in every build: minified
 * names change from one build to the next.
 */
export function withOriginals(told: ReportedError, known: Known): ReportedError {
  const byCall = originalsByCall(known);
  function restored(frames: readonly Frame[], from: number): Frame[] {
    return frames.map((frame, index) => {
      const original = byCall.get(from + index);
      if (!original) return frame;
      const { file } = original;
      const inApp = !/(?:^|\/)node_modules\//.test(file);
      // If no caller names the function, the file identifies it; the minified name says nothing.
      return { function: nameOf(byCall, from + index), file, inApp };
    });
  }
  const causes = told.causes?.map((cause) => ({ ...cause, frames: restored(cause.frames, cause.from) }));
  return { ...told, frames: restored(told.frames, 0), causes };
}

function originalsByCall({ places, originals }: Known): ReadonlyMap<number, Original> {
  return new Map(
    places.flatMap(({ call }, index) => {
      const original = originals[index];
      return original ? [[call, original] as const] : [];
    }),
  );
}

/**
 * Returns the name of a call's function. A map names what is called at a place, so the name is at the next
 * outer call.
 */
function nameOf(byCall: ReadonlyMap<number, Original>, call: number): string | undefined {
  return byCall.get(call + 1)?.name;
}
