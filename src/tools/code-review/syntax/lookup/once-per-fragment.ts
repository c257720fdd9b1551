import type { Fragment } from "../fragment.ts";

/** The same function, which works once for each hunk, however often it is asked. */
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
