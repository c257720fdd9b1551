import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import type { Level } from "./level.ts";
import type { Target } from "./target.ts";
import type { Given } from "./value.ts";
import { ValueFollower } from "./value-follower.ts";

export interface Provenance {
  /** Returns the highest level that flows into an expression. */
  of(range: Range): Level;
  /** Returns the same, and the calls in other files that pass it on. */
  given(range: Range): Given;
}

type Followers = WeakMap<Fragment, Map<Target | undefined, ValueFollower>>;
const [known, strict]: [Followers, Followers] = [new WeakMap(), new WeakMap()];

/**
 * Follows values back through the definitions of a hunk or file (taint analysis). With a target, only sanitizers
 * for that target count.
 */
export function provenanceOf(fragment: Fragment, target?: Target): Provenance {
  const follower = followerOf(fragment, target, false);
  return { of: (range) => follower.given(range).level, given: (range) => follower.given(range) };
}

function followerOf(fragment: Fragment, target: Target | undefined, isStrict: boolean): ValueFollower {
  const followers = isStrict ? strict : known;
  const own = followers.get(fragment) ?? new Map<Target | undefined, ValueFollower>();
  followers.set(fragment, own);
  const before = own.get(target);
  if (before) return before;
  const made = new ValueFollower(fragment, target, isStrict, followerOf);
  own.set(target, made);
  return made;
}
