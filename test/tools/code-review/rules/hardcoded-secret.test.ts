import { describe, expect, it } from "vitest";
import { findingsIn, ruleCases } from "../cases.ts";
import { alphanumeric, digits, hexadecimal, letters, upper } from "./tokens.ts";

const uuid = [8, 4, 4, 4, 12].map((length) => hexadecimal(length)).join("-");

/** Tokens that are recognised by their form alone. */
const FORMS: Record<string, string> = {
  AWS: `AKIA${upper(16)}`,
  GitHub: `ghp_${alphanumeric(36)}`,
  "GitHub, fine-grained": `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`,
  GitLab: `glpat-${alphanumeric(20)}`,
  Slack: `xoxb-${digits(12)}-${digits(12)}-${alphanumeric(24)}`,
  "Slack webhook": `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${alphanumeric(24)}`,
  Stripe: `sk_live_${alphanumeric(24)}`,
  Google: `AIza${alphanumeric(35)}`,
  SendGrid: `SG.${alphanumeric(22)}.${alphanumeric(43)}`,
  Twilio: `SK${hexadecimal(32)}`,
  Mailchimp: `${hexadecimal(32)}-us12`,
  npm: `npm_${alphanumeric(36)}`,
  PyPI: `pypi-AgE${alphanumeric(60)}`,
  Docker: `dckr_pat_${alphanumeric(27)}`,
  DigitalOcean: `dop_v1_${hexadecimal(64)}`,
  Shopify: `shpat_${hexadecimal(32)}`,
  "Hugging Face": `hf_${letters(34)}`,
  OpenAI: `sk-proj-${alphanumeric(40)}T3BlbkFJ${alphanumeric(40)}`,
  Anthropic: `sk-ant-api03-${alphanumeric(93)}AA`,
  Vault: `hvs.${alphanumeric(90)}`,
  Linear: `lin_api_${alphanumeric(40)}`,
  Telegram: `${digits(9)}:AA${alphanumeric(33)}`,
  "JSON Web Token": `eyJ${alphanumeric(20)}.eyJ${alphanumeric(40)}.${alphanumeric(43)}`,
  "Azure storage": `AccountKey=${alphanumeric(86)}==`,
};

describe("hardcoded-secret with known token formats", () => {
  it.each(Object.entries(FORMS))("finds a credential of %s in any file and masks it", (_, token) => {
    for (const [path, line] of [
      ["notes.txt", token],
      ["src/app.ts", `// see ${token} `],
      ["app.go", `client := New("${token}")`],
      [".env", `VALUE=${token}`],
    ] as const) {
      const [finding, ...more] = findingsIn(path, line, { rules: { only: ["hardcoded-secret"] } });
      expect(finding, `${path}: ${line.slice(0, 12)}`).toMatchObject({
        severity: "error",
        cwe: "CWE-798",
        line: 1,
      });
      expect(more).toEqual([]);
      expect(JSON.stringify(finding)).not.toContain(token.slice(8));
    }
  });

  it("requires the whole format of a token, not only its prefix", () => {
    for (const text of [
      `xghp_${alphanumeric(36)}`,
      "ghp_short",
      `ghp_${"x".repeat(36)}`,
      "sk_live_",
      `AKIA${upper(15)}`,
    ]) {
      expect(findingsIn("notes.txt", text), text).toEqual([]);
    }
  });
});

ruleCases("hardcoded-secret", {
  javascript: {
    must: [
      `const apiToken = "${alphanumeric(32)}";`,
      `const config = { clientSecret: '${hexadecimal(40)}' };`,
      'const password = "Tr0ub4dor&3";',
      "jwt.sign(payload, 'not so secret')",
      "const secret = 'keep this';\njwt.verify(token, secret)«here»",
      "crypto.createHmac('sha256', 'key of mine')",
      "app.use(session({ secret: 'keyboard cat' }))",
      "passport.use(new JwtStrategy({ secretOrKey: 'mine' }, verify))",
      "const url = 'postgres://admin:hunter2x@db.internal/app';",
      `fetch(url, { headers: { Authorization: "Bearer ${alphanumeric(40)}" } })`,
    ],
    mustNot: [
      'enum Preference {\n  MembersCanCreateApiKey = "membersCanCreateApiKey",\n}',
      "if(t.tokenTypeIdx===e.otherIndexOf9x8y7z)go()",
      "const apiToken = process.env.API_TOKEN;",
      'const apiToken = "your-api-token-here";',
      'const password = "<password>";',
      "const tokenType = 'application/x-www-form-urlencoded';",
      `const publicKey = "${hexadecimal(40)}";`,
      "const passwordField = 'input[name=Password1]';",
      "const secretName = 'prod/db/password-2024';",
      "jwt.sign(payload, process.env.JWT_SECRET)",
      "jwt.sign(payload, await readKey())",
      "app.use(session({ secret: config.secret }))",
      "const url = 'postgres://user:password@localhost/app';",
      "const url = `https://${user}:${password}@host/`;",
      "const cacheKey = 'users:v2:list:all:1';",
      `const integrity = 'sha512-${"abc123DEF456".repeat(5)}==';`,
      "if (key === 'ArrowDown2') move();",
      'const nextPageToken = "CAUQAA12345678901234567890";',
      "translate('settings.password.confirm1')",
    ],
  },
  python: {
    must: [
      "API_KEY = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'",
      "password = 'Tr0ub4dor&3xyz'",
      "AWS = 'AKIAIOSFODNN7EXAMPLQ'",
      "conn = 'postgres://admin:hunter2pass@db.internal/app'",
      `API_KEY = "${alphanumeric(40)}"`,
      'jwt.encode(payload, "not so secret")',
      'hmac.new(b"mine", message, "sha256")',
      'DB_PASSWORD = "S3cure!pass"',
    ],
    mustNot: [
      "PASSWORD_RESET_SUBJECT = LazyI18nString(_('Password recovery'))",
      "PASSWORD_RESET_SUBJECT = LazyI18nString.from_gettext(_('Password recovery'))",
      "API_KEY = os.environ['API_KEY']",
      "password = ''",
      "password = 'changeme'",
      "token = get_token()",
      'API_KEY = os.environ["API_KEY"]',
      "jwt.encode(payload, settings.SECRET_KEY)",
      'password = getpass("Password: ")',
    ],
  },
  go: {
    must: [`const apiToken = "${alphanumeric(40)}"`, 'token.SignedString([]byte("not so secret"))'],
    mustNot: ['apiToken := os.Getenv("API_TOKEN")', "token.SignedString(key)"],
  },
  java: {
    must: [
      'Algorithm.HMAC256("not so secret");',
      'DriverManager.getConnection(url, "sa", "Adm1n!pw");',
      `String accessKey = "${alphanumeric(40)}";`,
    ],
    mustNot: [
      "long tokenExpiryTime = getTokenExpiryTime(cookieTokens);",
      " * @param oauth2Token OAuth2AuthenticationToken to keep",
      'Algorithm.HMAC256(System.getenv("KEY"));',
      "DriverManager.getConnection(url, user, password);",
    ],
  },
  ruby: {
    must: [`api_token = "${alphanumeric(32)}"`, 'JWT.encode(payload, "not so secret")'],
    mustNot: ['api_token = ENV["API_TOKEN"]', "JWT.encode(payload, Rails.application.secret_key_base)"],
  },
  php: {
    must: [`<?php\n$apiKey = "${alphanumeric(32)}";`, "<?php\n$db = new PDO($dsn, 'root', 'Adm1n!pw');"],
    mustNot: ["<?php\n$apiKey = getenv('API_KEY');", "<?php\n$db = new PDO($dsn, $user, $password);"],
  },
  csharp: {
    must: [
      `var connection = "Server=db;User Id=sa;Password=Adm1n!pw7;";`,
      'new SymmetricSecurityKey(Encoding.UTF8.GetBytes("not so secret"));',
    ],
    mustNot: ['var password = configuration["Password"];', "new SymmetricSecurityKey(key);"],
  },
  rust: {
    must: ['EncodingKey::from_secret("not so secret".as_ref());', `let api_key = "${alphanumeric(32)}";`],
    mustNot: [
      "let private_key = EncodingKeyOfTests(pem.as_bytes());",
      "let decoding_key = DecodingKey::from_rsa_pem(key)?;",
      'let api_key = env::var("API_KEY")?;',
      "EncodingKey::from_secret(key.as_ref());",
    ],
  },
  shell: {
    must: [
      `export API_TOKEN=${alphanumeric(32)}`,
      "sshpass -p 'S3cure' ssh host",
      `mysql --password=Adm1n!pw7 db`,
    ],
    mustNot: [
      "export API_TOKEN=$TOKEN",
      'sshpass -p "$PASSWORD" ssh host',
      "mysql --password db",
      'token="$(cat token)"',
    ],
  },
  yaml: {
    must: [`api_key: ${alphanumeric(32)}`, `password: "S3cure!pass"`, `client_secret: ${hexadecimal(40)}`],
    mustNot: [
      "api_key: ${API_KEY}",
      "password: {{ vault.password }}",
      "secretName: app-tls-2024",
      "key: pricing.page.link",
    ],
  },
  dockerfile: {
    must: [`ENV API_TOKEN=${alphanumeric(32)}`, `ARG PASSWORD=S3cure!pass9`],
    mustNot: ["ENV API_TOKEN=", "ARG PASSWORD"],
  },
  text: [
    {
      file: "src/lang/de-DE.json",
      must: [`"example": "ghp_${alphanumeric(36)}"`],
      mustNot: ['"brevoApiKey": "Brevo-API-Schlüssel"', '"Channel access token": "Kanal-Zugriffs-Token7"'],
    },
    {
      file: "login_es.properties",
      must: ["mail.password=¡Fel1cidades!"],
      mustNot: ["form.passwordReset=¡Felicidades! La contraseña se ha restablecido con éxito."],
    },
    {
      file: ".npmrc",
      must: [`//registry.internal/:_authToken=${uuid}`, "_auth = stvtaW46YWRtaW4="],
      mustNot: ["//registry.internal/:_authToken=${NPM_TOKEN}"],
    },
    {
      file: "app.properties",
      must: [`app.secret=${uuid}`, `datasource.password=S3cure!pass`],
      mustNot: ["app.secret=${SECRET}", "app.secret="],
    },
    {
      file: "notes.md",
      must: ["Open https://admin:Adm1n!pw@host.internal/"],
      mustNot: ["Open https://user:****@host.internal/", "Open https://host.internal:8080/a@b"],
    },
    {
      file: "shadow",
      must: ["root:$6$abc:17431:0:99999:7:::"],
      mustNot: ["root:x:0:0:root:/root:/bin/bash"],
    },
  ],
});
