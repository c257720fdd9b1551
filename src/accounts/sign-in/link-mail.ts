import { overloaded } from "../../contract/retry-later.ts";
import type { Letter, Post } from "../../mail/post.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { emailKey } from "../model.ts";
import { personByEmail } from "../people.ts";
import { createHourly } from "./hourly.ts";
import { letters } from "./letters.ts";
import type { Newcomers } from "./newcomers.ts";
import { lastUser } from "./sessions/begin-session.ts";
import type { Visitor } from "./sessions/signed-in.ts";
import type { SignInLinks } from "./sign-in-links.ts";

/** Letters an hour: of each kind to one recipient, requested from one IP address, and sent for one account. */
const MAX_TO_ONE = 6;
const MAX_OF_ADDRESS = 30;
const MAX_OF_ACCOUNT = 200;

/** One-time links by e-mail. */
export interface LinkMail {
  /**
   * Mails a link to an address, if its owner may sign in or sign up. The response reveals nothing about the address:
   * everything that depends on it happens afterwards. `next`: the local path to continue at. `Problem`
   * `rate_limited`, `overloaded`.
   */
  request(asked: { email: string; next: string }, visitor: Visitor): Promise<void>;
  /** Counts a letter that an account is about to send. `Problem` `rate_limited`, `overloaded`. */
  admit(accountId: string, to: string): Promise<void>;
  /** Mails a letter that `admit` has counted. */
  send(letter: Letter): void;
}

/** @param subjectOf maps an IP address to the subject that it is counted by. */
export function createLinkMail({
  store,
  clock,
  post,
  links,
  newcomers,
  subjectOf,
}: {
  store: Store;
  clock: Clock;
  post: Post;
  links: SignInLinks;
  newcomers: Newcomers;
  subjectOf: (address: string) => string;
}): LinkMail {
  const hourly = createHourly({ store, clock, purpose: "mail" });
  /**
   * Anybody may ask for all links to an address. As one comes back every ten minutes and each is valid for 15, the
   * recipient has a valid one all the same.
   */
  const linksToOne = createHourly({ store, clock, purpose: "mailed-link", kind: "bucket" });
  /** Counted separately, so that repeated invitations cannot keep somebody from links that they request themselves. */
  const unasked = (email: string) => ({ [`unasked/${emailKey(email)}`]: MAX_TO_ONE });

  function refuseIfFull(): void {
    if (post.takesMore()) return;
    throw overloaded("Too many letters are on their way. Try again in some minutes.", 120);
  }

  /** Writes the letter for an address; undefined if nobody may sign in or sign up with it. */
  async function write(email: string, next: string): Promise<Letter | undefined> {
    // Silently send no more: the recipient has a valid link.
    if (!(await linksToOne.take({ [emailKey(email)]: MAX_TO_ONE })).admitted) return undefined;
    return store.transact(async (tx) => {
      const person = await personByEmail(tx, email);
      const comes = person ? (await lastUser(tx, person)) !== undefined : newcomers.admits(email);
      if (!comes) return undefined;
      const { url } = await links.issueTo(tx, email);
      const to = person?.email ?? email;
      return (person ? letters.signIn : letters.signUp)(to, next === "/" ? url : withNext(url, next));
    });
  }

  return {
    async request({ email, next }, visitor) {
      refuseIfFull();
      await hourly.takeOrRefuse(
        { [subjectOf(visitor.address)]: MAX_OF_ADDRESS },
        "Too many links were asked for from your address within an hour.",
      );
      post.send(() => write(email, next));
    },
    async admit(accountId, to) {
      refuseIfFull();
      await hourly.takeOrRefuse(
        { [`account/${accountId}`]: MAX_OF_ACCOUNT, ...unasked(to) },
        "Too many letters were sent to this address, or by this account, within an hour.",
      );
    },
    send: (letter) => void post.send(async () => letter),
  };
}

function withNext(url: string, next: string): string {
  return `${url}&${new URLSearchParams({ next })}`;
}
