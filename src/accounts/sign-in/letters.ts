import { type Letter, withoutLinks } from "../../mail/post.ts";

/** The letters about sign-ins, in plain text, with the link on a line of its own. */
export const letters = {
  signIn: (to: string, url: string): Letter => ({
    to,
    subject: "Your sign-in link",
    text: `Open this link to sign in:

${url}

It works once, within 15 minutes, in any browser. Nobody else can use it unless you pass it on.
If you did not ask for it, do nothing: nobody is signed in.
`,
  }),
  signUp: (to: string, url: string): Letter => ({
    to,
    subject: "Finish signing up",
    text: `Open this link to make your account:

${url}

It works once, within 15 minutes, in any browser. If you did not ask for it, do nothing: no account is made.
`,
  }),
  invitation: (to: string, url: string, { account, by }: { account: string; by?: string }): Letter => ({
    to,
    subject: "You are invited",
    text: `${by === undefined ? "You are" : `${who(by)} has`} invited${by === undefined ? "" : " you"} to the account “${withoutLinks(account)}”. Open this link to join:

${url}

It works once, within seven days. If you do not know who this is, do nothing.
`,
  }),
  reset: (to: string, url: string): Letter => ({
    to,
    subject: "A link to sign in again",
    text: `An administrator of your account has made this link for you, who could not come in any more:

${url}

It works once, within 15 minutes. If you did not ask for that, do nothing, and tell them.
`,
  }),
};

/** Returns an e-mail address unchanged, since it was validated, and a chosen name without anything link-like. */
function who(by: string): string {
  return by.includes("@") ? by : withoutLinks(by);
}
