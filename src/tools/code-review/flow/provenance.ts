import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import type { Level } from "./level.ts";
import { ARCHIVES } from "./sources/archive-sources.ts";
import { CLIENTS } from "./sources/client-sources.ts";
import type { Sources } from "./sources/sources.ts";
import type { Target } from "./target.ts";
import type { Given } from "./value.ts";
import { type FollowerOf, ValueFollower } from "./value-follower.ts";

export interface Provenance {
  /** Returns the highest level that flows into an expression. */
  of(range: Range): Level;
  /** Returns the same, and the calls in other files that pass it on. */
  given(range: Range): Given;
}

const followerOfClients = followersFrom(CLIENTS);
const followerOfArchives = followersFrom(ARCHIVES);

/**
 * Follows values back through the definitions of a hunk or file (taint analysis). With a target, only sanitizers
 * for that target count.
 */
export function provenanceOf(fragment: Fragment, target?: Target): Provenance {
  const follower = followerOfClients(fragment, target, false);
  return { of: (range) => follower.given(range).level, given: (range) => follower.given(range) };
}

/** Follows the names that archives give their members, which are of level `request`, until they are joined to a path. */
export function memberNamesOf(fragment: Fragment): Provenance {
  const follower = followerOfArchives(fragment, "path", false);
  return { of: (range) => follower.given(range).level, given: (range) => follower.given(range) };
}

/** Returns what makes followers of values that come from these sources, one for each file and target. */
function followersFrom(sources: Sources): FollowerOf {
  type Followers = WeakMap<Fragment, Map<Target | undefined, ValueFollower>>;
  const [known, strict]: [Followers, Followers] = [new WeakMap(), new WeakMap()];
  const followerOf: FollowerOf = (fragment, target, isStrict) => {
    const followers = isStrict ? strict : known;
    const own = followers.get(fragment) ?? new Map<Target | undefined, ValueFollower>();
    followers.set(fragment, own);
    const before = own.get(target);
    if (before) return before;
    const made = new ValueFollower(fragment, sources, target, isStrict, followerOf);
    own.set(target, made);
    return made;
  };
  return followerOf;
}
