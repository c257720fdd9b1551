import { createPasswords, type Passwords } from "../../../src/accounts/sign-in/passwords.ts";
import type { Random } from "../../../src/system/random.ts";

/** Passwords that cost a millisecond, for tests of what is done with them. */
export function cheapPasswords(random: Pick<Random, "bytes">): Passwords {
  return createPasswords({ random, logN: 4 });
}
