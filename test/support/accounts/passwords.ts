import { createPasswords, type Passwords } from "../../../src/accounts/sign-in/passwords.ts";
import type { Random } from "../../../src/system/random.ts";

/** Returns password hashing that takes a millisecond, for tests that are not about its cost. */
export function cheapPasswords(random: Pick<Random, "bytes">): Passwords {
  return createPasswords({ random, logN: 4 });
}
