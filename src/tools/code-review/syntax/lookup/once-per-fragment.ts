import type { Fragment } from "../fragment.ts";

/** Memoises a function by fragment. */
export function oncePerFragment<T extends object>(
  work: (fragment: Fragment) => T,
): (fragment: Fragment) => T {
  const known = new WeakMap<Fragment, T>();
  return (fragment) => {
    let made = known.get(fragment);
    if (made === undefined) {
      made = work(fragment);
      known.set(fragment, made);
    }
    return made;
  };
}
