import { parseSignUp, type SignUpRule } from "../../accounts/sign-in/sign-up.ts";
import { checkMail, type SmtpSettings } from "../../mail/smtp.ts";
import type { ProviderSettings } from "../../providers/provider.ts";
import { checkProviders } from "../../providers/settings.ts";

/** The server's options for how people may sign in. */
export interface WaysInOptions {
  signUp?: string | undefined;
  mail?: SmtpSettings | undefined;
  providers?: readonly ProviderSettings[] | undefined;
  baseUrl?: string | undefined;
  verificationUrl?: string | undefined;
}

export interface WaysIn {
  signUp: SignUpRule;
  mail: SmtpSettings | undefined;
  providers: readonly ProviderSettings[];
  /** Whether browsers accept the address of the pages for passkeys. */
  passkeys: boolean;
}

/** Parses the options. Throws a user-facing `Error` if they contradict each other. */
export function waysIn(options: WaysInOptions): WaysIn {
  const { signUp = "invite", mail, providers = [] } = options;
  const passkeys = takesPasskeys(options.verificationUrl ?? options.baseUrl);
  const rule = parseSignUp(signUp);
  if (mail) checkMail(mail);
  checkProviders(providers);
  const proves = mail !== undefined || providers.length > 0 || (rule === "open" && passkeys);
  if (rule !== "invite" && !proves) {
    const orPasskeys =
      rule === "open"
        ? ", or give an https --base-url with a domain, or http://localhost:<port>, so that browsers take passkeys"
        : "";
    throw new Error(
      `--sign-up ${signUp} would let nobody in: there is no way to prove who one is. Set TOOL_SMTP_URL and TOOL_MAIL_FROM, so that links can be mailed, or name a provider by --oidc or --github${orPasskeys}.`,
    );
  }
  return { signUp: rule, mail, providers, passkeys };
}

/**
 * Whether browsers allow passkeys on a URL: a domain over https, or localhost (Web Authentication Level 3 §5.1.3), but
 * never an IP address.
 */
function takesPasskeys(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return hostname === "localhost" || (protocol === "https:" && !/^[\d.]+$|^\[/.test(hostname));
}
