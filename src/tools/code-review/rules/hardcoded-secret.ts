import { secretsInCommands } from "../../../text/secrets/command-secrets.ts";
import { knownTokens } from "../../../text/secrets/known-tokens.ts";
import type { Rule, Sighting } from "../finding.ts";
import { PROGRAMS } from "../language/language.ts";
import { keyLiterals } from "../secrets/key-literals.ts";
import { isSecretValue, namedValues } from "../secrets/named-values.ts";
import { isCountedUp, looksGenerated } from "../secrets/randomness.ts";
import { sensitivityOf } from "../secrets/sensitivity.ts";
import { MADE_UP_ADDRESS, urlCredentials } from "../secrets/url-credentials.ts";
import { isAside } from "../severity.ts";
import type { Fragment } from "../syntax/fragment.ts";

/** Files of translations, whose values are texts in languages whose words may look random. */
const TRANSLATIONS =
  /(?:^|\/)(?:langs?|languages|locales?|i18n|l10n|translations?)\/(?:[a-z]{2,3}(?:[-_][a-z]{2,8}){0,2}\/)?[^/]{1,80}\.(?:json|ya?ml|po|properties|ftl|php|[jt]s)$/i;
/** Maximum characters of a line that are searched: minified lines are long. */
const MAX_LINE_LENGTH = 20_000;

const PASSWORD_HASH = "an entry of a password file";
const CLIENT_ID = "the id of a client";
const SERVICE_ACCOUNT = "a Google service account";
const MADE_UP_VALUE = "a value that counts up";

export const hardcodedSecret: Rule = {
  id: "hardcoded-secret",
  category: "security",
  severity: "error",
  cwe: 798,
  languages: "any",
  message: "A secret is written into the file; everyone who can read the repository can use it.",
  suggestion: "Revoke it, and read its successor from the environment or a secret store.",
  *check(fragment) {
    // In programming languages, a value without quotes is an expression.
    const inCode = PROGRAMS.includes(fragment.language);
    // Schemas, which are `other`, declare types too.
    const hasTypes = inCode || fragment.language === "other";
    const named = !TRANSLATIONS.test(fragment.path);
    for (const [line, { text, added }] of fragment.lines.entries()) {
      if (!added) continue;
      const searched = text.slice(0, MAX_LINE_LENGTH);
      const first = secretIn(searched, named && { inCode, hasTypes });
      if (!first) continue;
      if (first.what === SERVICE_ACCOUNT && inCode && !holdsPrivateKey(fragment)) continue;
      const isCounted = first.isNamed && isCountedUp(first.text);
      // The users of a test have passwords that somebody made up for them.
      const isMadeUp = !isCounted && first.isChosen && isAside(fragment.path);
      const words = {
        ...wordsFor(isCounted ? MADE_UP_VALUE : first.what),
        ...(isMadeUp && { severity: "warning" as const }),
      };
      yield { places: [{ line, column: first.column }], ...words, secret: first.text };
    }
    yield* literalsOf(fragment);
  },
};

/** Whether a service account is written out here, and not put together from settings. */
function holdsPrivateKey({ lines }: Fragment): boolean {
  const key = /["']private_key["']\s{0,4}:\s{0,4}(?:[brfu]{0,2}["'`]|$)/i;
  return [...lines.values()].some(({ text }) => key.test(text));
}

const WORD_AND_NUMBER = /^[A-Za-z]{4,20}\d{1,8}!?$/;

interface FoundSecret {
  column: number;
  text: string;
  what: string;
  /** Whether it was found by the name before it. */
  isNamed?: true;
  /** Whether it is a password that a person chose rather than one that was generated. */
  isChosen?: boolean;
}

function secretIn(
  line: string,
  reads: false | { inCode: boolean; hasTypes: boolean },
): FoundSecret | undefined {
  const [token] = knownTokens(line);
  if (token) return token;
  const [address] = urlCredentials(line);
  if (address) return address;
  const named = reads && namedValues(line).find((each) => isSecretValue(each, reads.inCode, reads.hasTypes));
  if (named) {
    const { name, value, column } = named;
    const isChosen =
      sensitivityOf(name) === "password" && (!looksGenerated(value, 10) || WORD_AND_NUMBER.test(value));
    return {
      column,
      text: value,
      what: sensitivityOf(name) === "identifier" ? CLIENT_ID : `the value of "${name}"`,
      isNamed: true,
      isChosen,
    };
  }
  return secretsInCommands(line)[0];
}

function* literalsOf(fragment: Fragment): Iterable<Sighting> {
  for (const { sighting, what } of keyLiterals(fragment)) yield { ...sighting, ...wordsFor(what) };
}

function wordsFor(what: string): Omit<Sighting, "places"> {
  if (what === PASSWORD_HASH) {
    return {
      message:
        "The hash of a password is written into the file; whoever reads it can guess the password at leisure.",
      suggestion: "Keep hashes with the accounts they belong to, and change the password if it is in use.",
      severity: "info",
    };
  }
  if (what === CLIENT_ID) {
    return {
      message:
        "The id of a client is written into the file; it is no secret (RFC 6749 §2.2), but its secret is.",
      severity: "info",
    };
  }
  if (what === MADE_UP_VALUE) {
    return {
      message:
        "A value stands where a secret would that looks made up: whoever runs the program with it has a secret that anybody guesses.",
      severity: "warning",
    };
  }
  if (what === MADE_UP_ADDRESS) {
    return {
      message: "An address holds a user and a password that look made up; real ones do not belong here.",
      severity: "info",
    };
  }
  return {
    message: `A secret is written into the file: ${what}. Everyone who can read the repository can use it.`,
  };
}
