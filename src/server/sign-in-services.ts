import { createFailureBudget } from "../accounts/sign-in/failure-budget.ts";
import { createLinkMail } from "../accounts/sign-in/link-mail.ts";
import { createNewcomers } from "../accounts/sign-in/newcomers.ts";
import { createPasskeys } from "../accounts/sign-in/passkeys/passkeys.ts";
import { createPasswords } from "../accounts/sign-in/passwords.ts";
import { createProviderSignIn } from "../accounts/sign-in/provider-sign-in.ts";
import { createBeginSession } from "../accounts/sign-in/sessions/begin-session.ts";
import type { BrowserSessions } from "../accounts/sign-in/sessions/browser-sessions.ts";
import { createSignIn } from "../accounts/sign-in/sign-in.ts";
import type { SignInLinks } from "../accounts/sign-in/sign-in-links.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { createPost, type LetterOutcome } from "../mail/post.ts";
import { createSmtp } from "../mail/smtp.ts";
import { createProviders } from "../providers/providers.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { Random } from "../system/random.ts";
import { subjectOf } from "./pipeline/client-address.ts";
import type { WaysIn } from "./starting/ways-in.ts";

/**
 * Creates the services for every configured way to sign in.
 *
 * @param plansAt returns the plan of an account that somebody signs up for at a time, and what follows it.
 * @param pagesUrl the base URL of the pages, without a trailing slash.
 */
export function createSignInServices({
  store,
  audit,
  clock,
  log,
  random,
  sessions,
  links,
  ways,
  plansAt,
  serviceName,
  pagesUrl,
  onLetter,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  log: Log;
  random: Random;
  sessions: BrowserSessions;
  links: SignInLinks;
  ways: WaysIn;
  plansAt: Parameters<typeof createNewcomers>[0]["plansAt"];
  serviceName: string;
  pagesUrl: () => string;
  onLetter?: ((outcome: LetterOutcome) => void) | undefined;
}) {
  const newcomers = createNewcomers({ store, clock, random, rule: ways.signUp, plansAt, subjectOf });
  const post = ways.mail && createPost({ deliver: createSmtp(ways.mail), clock, log, onOutcome: onLetter });
  const linkMail = post && createLinkMail({ store, clock, post, links, newcomers, subjectOf });
  const passwords = createPasswords({ random });
  const failures = createFailureBudget({ store, clock, purpose: "password" });
  const providers = createProviders(ways.providers, clock);
  const offered = {
    mail: linkMail !== undefined,
    passkeys: ways.passkeys,
    providers: providers.map(({ name }) => name),
  };
  const signIn = createSignIn({
    store,
    audit,
    clock,
    random,
    sessions,
    links,
    newcomers,
    passwords,
    failures,
    offered,
    subjectOf,
  });
  const parts = {
    store,
    audit,
    clock,
    random,
    beginSession: createBeginSession(sessions),
    newcomers,
    offered,
    subjectOf,
  };
  return {
    newcomers,
    post,
    linkMail,
    passwords,
    signIn,
    offered,
    providerSignIn: createProviderSignIn({ ...parts, providers, links, baseUrl: pagesUrl }),
    passkeys: createPasskeys({ ...parts, pagesUrl, serviceName }),
  };
}
