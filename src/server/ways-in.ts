import { parseSignUp, type SignUpRule } from "../accounts/sign-in/sign-up.ts";
import { checkMail, type MailSettings } from "../mail/smtp.ts";
import type { ProviderSettings } from "../providers/provider.ts";
import { checkProviders } from "../providers/settings.ts";

/** How people may come in, as the options of a server say it. */
export interface WaysInOptions {
  signUp?: string | undefined;
  mail?: MailSettings | undefined;
  providers?: readonly ProviderSettings[] | undefined;
}

export interface WaysIn {
  signUp: SignUpRule;
  mail: MailSettings | undefined;
  providers: readonly ProviderSettings[];
}

/** Throws an Error for people where the options do not fit together. */
export function waysIn({ signUp = "invite", mail, providers = [] }: WaysInOptions): WaysIn {
  const rule = parseSignUp(signUp);
  if (mail) checkMail(mail);
  checkProviders(providers);
  if (rule !== "invite" && !mail && providers.length === 0) {
    throw new Error(
      `--sign-up ${signUp} would let nobody in: there is no way to prove who one is. Set TOOL_SMTP_URL and TOOL_MAIL_FROM, so that links can be mailed, or name a provider by --oidc or --github.`,
    );
  }
  return { signUp: rule, mail, providers };
}
