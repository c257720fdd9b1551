import type { FoundSecret } from "./known-tokens.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Words that follow the name of an option where it is spoken of: "the --password option is deprecated". */
const SPOKEN_OF =
  "(?:options?|arguments?|flags?|parameters?|switch|values?|requires?d?|provided|specified|instead|cannot|should|without|together|because|deprecated|missing|unless)\\b";

/** Commands and settings that take a secret in a syntax of their own. `hint` is a prefilter for `form`. */
const FORMS: readonly { hint: string; form: RegExp; what: string }[] = [
  {
    hint: "sshpass",
    form: /\bsshpass\s{1,4}-p\s{0,4}(['"]?)([^\s'"]{3,80})\1/g,
    what: "a password for sshpass",
  },
  {
    hint: "_auth",
    // Not `_auth = FirebaseAuth.instance;`, a variable of a program.
    form: /(?:^|[\s:])_auth(Token)?(?:\s{0,4}=\s{0,4}(?=\S{0,400}[\d=])|=(?=[A-Za-z+/]{16,400}(?:\s|$)))["']?([\w+/=.-]{8,400})(?=["']?(?:\s|$))/g,
    what: "a credential of a package registry",
  },
  {
    hint: "_password",
    form: /(?:^|:)_password(\s{0,4})=\s{0,4}([^\s$]{6,200})/g,
    what: "a password of a package registry",
  },
  {
    hint: "uthorization",
    form: /[Aa]uthorization["']?\s{0,4}[:=,]\s{0,4}["'`]?(Basic|Bearer|Token|token)\s{1,4}([A-Za-z0-9+/=_.~-]{16,2000})/g,
    what: "an Authorization header",
  },
  {
    hint: "--password",
    form: new RegExp(`\\s--password(=|\\s{1,4}(?!--))['"]?(?!${SPOKEN_OF})([^\\s'"$<]{6,4000})`, "g"),
    what: "a password on a command line",
  },
  {
    hint: "--",
    // The value has a digit: `--token expired` is a sentence.
    form: /\s--((?:[a-z]{1,20}-){0,3}(?:token|secret|api-?key|access-?key|secret-?key))(?:=|\s{1,4})['"]?(?=[^\s'"]{0,200}\d)([\w.~+/=-]{12,2000})(?=['"]?(?:\s|$))/g,
    what: "a credential on a command line",
  },
  {
    hint: "login",
    form: /\b(docker|podman|nerdctl|buildah|skopeo|crane|oras|helm(?:\s{1,4}registry)?|az\s{1,4}acr)\s{1,4}login\b(?:[^|;&\n]{0,200}?\s)-p[\s=]{0,4}['"]?([^\s'"$<`|;)-][^\s'"$<`|;)]{5,4000})/g,
    what: "a password on a command line",
  },
  {
    hint: "my",
    // Not the ports of a container: `docker run mysql -p3306:3306`.
    form: /\b(mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mycli)\b(?:[^|;\n]{0,200}?\s)-p['"]?(?![\d.]{1,15}:\d{2})([^\s'"$<`|;)]{6,80})/g,
    what: "a password on a command line",
  },
  {
    hint: "client_secret=",
    form: /[?&](client_secret)=([A-Za-z0-9_-]{16,100})/g,
    what: "a client secret in an address",
  },
  {
    hint: "Bearer ",
    form: /["'`](Bearer)\s(?=[^"'`]{0,2000}\d)([A-Za-z0-9+/=_.~-]{24,2000})["'`]/g,
    what: "a bearer token",
  },
  {
    hint: "curl",
    form: /\bcurl\b[^|;]{0,300}?\s(?:-u|--user)[\s=]{1,3}["']?([\w.@-]{1,60}):([^\s"'$<{]{6,2000})/g,
    what: "a password on a command line",
  },
  {
    hint: "ConvertTo-SecureString",
    form: /\bConvertTo-SecureString\s{1,4}(?=[^|;]{0,300}-AsPlainText)(?:-String\s{1,4})?(["'])([^"'$]{6,200})\1/gi,
    what: "a password of a script",
  },
  {
    hint: "machine",
    form: /\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}(\S{1,100})\s{1,8}password\s{1,8}([^\s$<]{6,200})/g,
    what: "a password of a .netrc file",
  },
  {
    hint: "sig=",
    form: /[?&]s(ig)=([A-Za-z0-9+/]{20,60}(?:%2[BbFf][A-Za-z0-9+/]{0,60}){0,16}(?:%3[Dd]|=))/g,
    what: "a signature that gives access to storage",
  },
];

export function secretsInCommands(line: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { hint, form, what } of FORMS) {
    if (!line.includes(hint)) continue;
    for (const match of line.matchAll(form)) {
      const text = match[2];
      if (!text || isPlaceholder(text)) continue;
      found.push({ column: match.index + match[0].lastIndexOf(text), text, what });
    }
  }
  return found;
}
