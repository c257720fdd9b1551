import { describe, expect, it } from "vitest";
import { knownTokens } from "../../../../src/text/secrets/known-tokens.ts";
import { alphanumeric, digits, hexadecimal } from "./tokens.ts";

/** Returns URL-safe base64 text. */
const safe = (length: number) => `-_${alphanumeric(length - 2)}`;

/** Returns the tokens that are recognised in a text, verbatim. */
const known = (text: string) => knownTokens(text).map((token) => token.text);

interface Form {
  written: (length: number) => string;
  /** Allowed lengths of the varied part. */
  lengths: readonly [least: number, most: number];
  /** Whether a longer text is recognised up to the greatest length. */
  isCut?: true;
}

const TEAMS = "outlook.office.com/webhook";
const FORMS: Record<string, Form> = {
  "a bcrypt hash": { written: (at) => `$2a$10$./${alphanumeric(at - 2)}`, lengths: [53, 53] },
  "the cost of bcrypt": { written: (at) => `$2y$${digits(at)}$${alphanumeric(53)}`, lengths: [2, 2] },
  Mailchimp: { written: (at) => `${hexadecimal(at)}-us7`, lengths: [32, 32] },
  "Mailchimp's region": { written: (at) => `${hexadecimal(32)}-us${digits(at)}`, lengths: [1, 2] },
  "Terraform's name": { written: (at) => `${alphanumeric(at)}.atlasv1.${safe(64)}`, lengths: [14, 14] },
  Terraform: {
    written: (at) => `${alphanumeric(14)}.atlasv1.=${safe(at - 1)}`,
    lengths: [60, 70],
    isCut: true,
  },
  "Azure's begin": { written: (at) => `_~.${digits(at)}Q~${safe(32)}`, lengths: [1, 1] },
  Azure: { written: (at) => `a~_8Q~.~${safe(at - 2)}`, lengths: [31, 34] },
  "Telegram's bot": { written: (at) => `${digits(at)}:AA${safe(33)}`, lengths: [8, 10] },
  Telegram: { written: (at) => `${digits(9)}:AA${safe(at)}`, lengths: [33, 33] },
  "Mailgun's begin": {
    written: (at) => `${hexadecimal(at)}-${hexadecimal(8)}-${hexadecimal(8)}`,
    lengths: [32, 32],
  },
  "Mailgun's middle": {
    written: (at) => `${hexadecimal(32)}-${hexadecimal(at)}-${hexadecimal(8)}`,
    lengths: [8, 8],
  },
  "Mailgun's end": {
    written: (at) => `${hexadecimal(32)}-${hexadecimal(8)}-${hexadecimal(at)}`,
    lengths: [8, 8],
  },
  "Teams' hook": {
    written: (at) => `${TEAMS}/@${safe(at - 1)}/IncomingWebhook/${hexadecimal(32)}/${safe(36)}`,
    lengths: [70, 80],
  },
  "Teams' key": {
    written: (at) => `${TEAMS}b2/${safe(72)}/IncomingWebhook/_${hexadecimal(at - 1)}/${safe(36)}`,
    lengths: [32, 32],
  },
  "Teams' end": {
    written: (at) => `${TEAMS}/${safe(72)}/IncomingWebhook/${hexadecimal(32)}/${safe(at)}`,
    lengths: [30, 60],
    isCut: true,
  },
  "an office's hook": {
    written: (at) =>
      `acme.webhook.office.com/webhookb2/@${safe(at - 1)}/IncomingWebhook/${hexadecimal(32)}/${safe(36)}`,
    lengths: [70, 80],
  },
  "an office's key": {
    written: (at) =>
      `ac-me.webhook.office.com/webhookb2/${safe(72)}/IncomingWebhook/_${hexadecimal(at - 1)}/${safe(36)}`,
    lengths: [32, 32],
  },
  "an office's end": {
    written: (at) =>
      `acme.webhook.office.com/webhookb2/${safe(72)}/IncomingWebhook/${hexadecimal(32)}/${safe(at)}`,
    lengths: [30, 60],
    isCut: true,
  },
  "Discord's begin": { written: (at) => `N${alphanumeric(at)}.G-_abc.${safe(30)}`, lengths: [23, 25] },
  "Discord's middle": { written: (at) => `M${alphanumeric(24)}.${safe(at)}.${safe(30)}`, lengths: [6, 6] },
  Discord: { written: (at) => `O${alphanumeric(24)}.G-_abc.${safe(at)}`, lengths: [27, 38] },
  "MaxMind's begin": { written: (at) => `${alphanumeric(at)}_${alphanumeric(29)}_mmk`, lengths: [6, 6] },
  MaxMind: { written: (at) => `${alphanumeric(6)}_${alphanumeric(at)}_mmk`, lengths: [29, 29] },
  "Azure's storage": { written: (at) => `AccountKey=+/${alphanumeric(at - 2)}==`, lengths: [86, 86] },
  "Azure's bus": { written: (at) => `SharedAccessKey=+/${alphanumeric(at - 2)}=`, lengths: [43, 43] },
  "a shadow file's user": { written: (at) => `${"u".repeat(at)}:$6$x:19000:0:99999:7:::`, lengths: [1, 32] },
  "a shadow file's hash": { written: (at) => `root:${"$".repeat(at)}:19000:0:99999:7:::`, lengths: [0, 200] },
  "a shadow file's day": { written: (at) => `root:*:${digits(at)}:0:99999:7:::`, lengths: [4, 6] },
  "a shadow file's least": { written: (at) => `root:*:19000:${digits(at)}:99999:7:::`, lengths: [0, 6] },
  "a shadow file's most": { written: (at) => `root:*:19000:0:${digits(at)}:7:::`, lengths: [0, 6] },
  "a shadow file's warning": { written: (at) => `root:*:19000:0:99999:${digits(at)}:::`, lengths: [0, 4] },
  "a service account": { written: (at) => `"type"${" ".repeat(at)}:"service_account"`, lengths: [0, 4] },
  "a service account's value": {
    written: (at) => `"type":${" ".repeat(at)}"service_account"`,
    lengths: [0, 4],
  },
};

describe("a credential format without a fixed prefix", () => {
  it.each(Object.entries(FORMS))(
    "is recognised only within its length limits: %s",
    (_, { written, lengths: [least, most], isCut }) => {
      expect(known(written(least))).toEqual([written(least)]);
      expect(known(written(most))).toEqual([written(most)]);
      if (least > 0) expect(known(written(least - 1))).toEqual([]);
      const longer = known(written(most + 1));
      expect(longer).toEqual(isCut ? [written(most + 1).slice(0, -1)] : []);
    },
  );

  const mailchimp = `${hexadecimal(32)}-us7`;
  const terraform = `${alphanumeric(14)}.atlasv1.${safe(64)}`;
  const azure = `abc8Q~${safe(32)}`;
  const telegram = `${digits(9)}:AA${safe(33)}`;
  const mailgun = `${hexadecimal(32)}-${hexadecimal(8)}-${hexadecimal(8)}`;
  const discord = `M${alphanumeric(24)}.Gabcde.${safe(30)}`;
  const maxMind = `${alphanumeric(6)}_${alphanumeric(29)}_mmk`;

  it.each([
    ["-", mailchimp, ""],
    ["g", mailchimp, ""],
    ["", mailchimp, "_"],
    ["_", terraform, ""],
    ["~", azure, ""],
    [".", azure, ""],
    ["", azure, "~~~"],
    ["", azure, "..."],
    ["x", telegram, ""],
    ["", telegram, "_"],
    ["-", mailgun, ""],
    ["x", mailgun, ""],
    ["", mailgun, "-"],
    ["", mailgun, "x"],
    [".", discord, ""],
    ["-", discord, ""],
    ["_", maxMind, ""],
    ["", maxMind, "s"],
  ])("is not recognised next to further characters: %j %s%s", (before, token, after) => {
    expect(known(`(${token})`)).toEqual([token]);
    expect(known(`${before}${token}${after}`)).toEqual([]);
  });

  it.each([
    `$2c$10$${alphanumeric(53)}`,
    `$2ab$10$${alphanumeric(53)}`,
    `$2a$1x$${alphanumeric(53)}`,
    `$2a$10$-${alphanumeric(52)}`,
    `$2a$10$${alphanumeric(53)}/`,
    `$2a$10$${alphanumeric(53)}.`,
    `${hexadecimal(31)}g-us7`,
    `${hexadecimal(31)}A-us7`,
    `-${alphanumeric(13)}.atlasv1.${safe(64)}`,
    `${alphanumeric(14)}.atlasv1.+${safe(63)}`,
    `abcdQ~${safe(32)}`,
    `a-c8Q~${safe(32)}`,
    `${digits(8)}x:AA${safe(33)}`,
    `${digits(9)}:AA+${safe(32)}`,
    `${hexadecimal(31)}g-${hexadecimal(8)}-${hexadecimal(8)}`,
    `${hexadecimal(32)}-g${hexadecimal(7)}-${hexadecimal(8)}`,
    `${hexadecimal(32)}-${hexadecimal(8)}-G${hexadecimal(7)}`,
    `${TEAMS}b3/${safe(72)}/IncomingWebhook/${hexadecimal(32)}/${safe(36)}`,
    `${TEAMS}/.${safe(72)}/IncomingWebhook/${hexadecimal(32)}/${safe(36)}`,
    `${TEAMS}/${safe(72)}/IncomingWebhook/-${hexadecimal(31)}/${safe(36)}`,
    `${TEAMS}/${safe(72)}/IncomingWebhook/${hexadecimal(32)}/.${safe(36)}`,
    `.webhook.office.com/webhookb2/${safe(72)}/IncomingWebhook/${hexadecimal(32)}/${safe(36)}`,
    `P${alphanumeric(24)}.Gabcde.${safe(30)}`,
    `M-${alphanumeric(23)}.Gabcde.${safe(30)}`,
    `M${alphanumeric(24)}.+abcde.${safe(30)}`,
    `M${alphanumeric(24)}.Gabcde.+${safe(30)}`,
    `-${alphanumeric(5)}_${alphanumeric(29)}_mmk`,
    `${alphanumeric(6)}_-${alphanumeric(28)}_mmk`,
    `AccountKey=-${alphanumeric(85)}==`,
    `SharedAccessKey=-${alphanumeric(42)}=`,
    "xroot :*:19000:0:99999:7:::",
    "0root:*:19000:0:99999:7:::",
    "- root:*:19000:0:99999:7:::",
    "root:* *:19000:0:99999:7:::",
    "root:*:1900x:0:99999:7:::",
    "root:*:19000:x:99999:7:::",
    "root:*:19000:0:x:7:::",
    "root:*:19000:0:99999:x:::",
    "root:*:19000:0:99999:7::",
    '"type"-"service_account"',
    '"type":-"service_account"',
  ])("is not recognised with wrong characters: %s", (text) => expect(known(text)).toEqual([]));

  it.each([
    `$2$10$${alphanumeric(53)}`,
    `$2b$10$${alphanumeric(53)}`,
    `$2x$10$${alphanumeric(53)}`,
    "a-_9:*:19000:0:99999:7:::",
    "_:!:19000::::::",
  ])("is recognised as %s", (text) => expect(known(text)).toEqual([text]));
});
