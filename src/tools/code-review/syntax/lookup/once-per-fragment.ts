import type { LexedFragment } from "../lexed-fragment.ts";

/** Memoises a function by fragment. */
export function oncePerFragment<Some extends LexedFragment, T extends object>(
  work: (fragment: Some) => T,
): (fragment: Some) => T {
  const known = new WeakMap<Some, T>();
  return (fragment) => {
    let made = known.get(fragment);
    if (made === undefined) {
      made = work(fragment);
      known.set(fragment, made);
    }
    return made;
  };
}
