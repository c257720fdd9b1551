import { parseSignUp, type SignUpRule } from "../accounts/sign-in/sign-up.ts";
import { checkMail, type MailSettings } from "../mail/smtp.ts";

/** How people may come in, as the options of a server say it. */
export interface WaysInOptions {
  signUp?: string | undefined;
  mail?: MailSettings | undefined;
}

export interface WaysIn {
  signUp: SignUpRule;
  mail: MailSettings | undefined;
}

/** Throws an Error for people where the options do not fit together. */
export function waysIn({ signUp = "invite", mail }: WaysInOptions): WaysIn {
  const rule = parseSignUp(signUp);
  if (mail) checkMail(mail);
  if (rule !== "invite" && !mail) {
    throw new Error(
      `--sign-up ${signUp} would let nobody in: there is no way to prove who one is. Set TOOL_SMTP_URL and TOOL_MAIL_FROM, so that links can be mailed.`,
    );
  }
  return { signUp: rule, mail };
}
