import { describe, expect, it } from "vitest";
import { maskSecrets, maskSecretsIn } from "../../../src/text/secrets/mask-secrets.ts";
import { tokens } from "./token-formats.ts";

describe("secrets in texts", () => {
  it.each([
    ["key AKIAIOSFODNN7EXAMPLE here", "aws-key"],
    [`Bearer ${"a1B2".repeat(8)}`, "bearer-token"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAAA\n-----END RSA PRIVATE KEY-----", "private-key"],
    ["-----BEGIN PRIVATE KEY-----\nMIIBcut off", "private-key"],
    ["db_password: 'correct-horse9'", "assigned-secret"],
    ["the api key is 9f8a7b6c5d4e3f2a1b0c", "assigned-secret"],
    ["https://user:pa55word@host/x", "password-in-url"],
    ["redis://:pa55word@cache:6379", "password-in-url"],
    ["//registry.example/:_auth=CorrectHorseBatteryStaple", "password-in-command"],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", "private-key"],
    ["DB_PASS=hunter2x9", "assigned-secret"],
    ["$env:API_KEY=9f8a7b6c5d", "assigned-secret"],
    ["Passwort: Sommer2024!", "assigned-secret"],
    ["mysql -u root -pS3cr3tPa55 shop", "password-in-command"],
    ["curl -u admin:S3cr3tPa55 https://intranet", "password-in-command"],
    ["vercel deploy --token q7Zk2mX9pL4vRt", "password-in-command"],
    ["docker login -u ci -p q7Zk2mX9 registry.example", "password-in-command"],
    ["helm registry login registry.example --username ci -p 'q7Zk2mX9'", "password-in-command"],
    ["<server><id>a</id><password>correcthorse</password></server>", "assigned-secret"],
    ["<apiToken>q7Zk2mX9pL4vRt</apiToken>", "assigned-secret"],
    ["- name: DB_PASSWORD\n  value: correcthorse", "assigned-secret"],
    ['{"name": "API_TOKEN", "value": "q7Zk2mX9pL4vRt"}', "assigned-secret"],
    ['<add key="SmtpPassword" value="correcthorse" />', "assigned-secret"],
    ['{"name":"API_TOKEN","value":"q7Zk2mX9pL4vRt"}', "assigned-secret"],
    ['{\\"name\\":\\"API_TOKEN\\",\\"value\\":\\"q7Zk2mX9pL4vRt\\"}', "assigned-secret"],
    ['sent {\\"user\\":\\"ada\\",\\"password\\":\\"correct\\\\u0020horse9\\"}', "assigned-secret"],
    ['config["password"] = "correcthorse"', "assigned-secret"],
    ["os.environ['API_KEY']='correcthorse'", "assigned-secret"],
    ['password := "correcthorse"', "assigned-secret"],
    ["password: |\n  correcthorse9", "assigned-secret"],
    ["<password>\n  <![CDATA[correcthorse]]>\n</password>", "assigned-secret"],
    ["ENV API_KEY q7Zk2mX9pL4vRt", "assigned-secret"],
    ["npm config set //npm.example.com/:_authToken q7Zk2mX9pL4vRt", "assigned-secret"],
    ["ALTER USER ada WITH PASSWORD 'correcthorse'", "assigned-secret"],
    ["CREATE USER ada IDENTIFIED BY 'q7Zk2mX9pL4vRt'", "assigned-secret"],
    // The kinds that clients know of the oldest forms, which the list of issuers has too.
    [`ghp_${"a1B2".repeat(9)}`, "github-token"],
    [`glpat-${"a1B2".repeat(5)}`, "gitlab-token"],
    [`xoxb-${"a1B2".repeat(5)}`, "slack-token"],
    [`https://hooks.slack.com/services/${"a1B2".repeat(11)}`, "slack-webhook"],
    [`sk_live_${"a1B2".repeat(6)}`, "stripe-key"],
    [`sk-${"a1B2".repeat(6)}`, "api-key"],
    [`AIza${"a1B2".repeat(9).slice(1)}`, "google-key"],
    [`npm_${"a1B2".repeat(9)}`, "npm-token"],
    [`pypi-${"a1B2".repeat(12)}`, "pypi-token"],
    [`hf_${"a1B2".repeat(8)}`, "hugging-face-token"],
    [`dop_v1_${"a1b2".repeat(16)}`, "digitalocean-token"],
    [`shpat_${"a1b2".repeat(8)}`, "shopify-token"],
    [`SG.${"a1B2".repeat(5)}.${"a1B2".repeat(10)}`, "sendgrid-key"],
    [`eyJ${"a1B2".repeat(5)}.eyJ${"a1B2".repeat(5)}.${"a1B2".repeat(5)}`, "json-web-token"],
    [`tak_${"a1B2".repeat(6)}`, "toolplane-credential"],
    [`AGE-SECRET-KEY-1${"A1B2".repeat(15).slice(2)}`, "credential"],
  ])("are masked in %j", (text, kind) => {
    const masked = maskSecrets(text);
    expect([...masked.kinds]).toEqual([kind]);
    expect(masked.text).toContain(`[masked ${kind}]`);
  });

  it.each([
    "The password is forgotten by everyone.",
    "password = <your password>",
    "token: $TOKEN_OF_CI",
    "We talked about the secret of good tests.",
    "https://host/path?x=1",
    "commit 0f1e2d3c4b5a69788796a5b4c3d2e1f001122334",
    "org.jenkins-ci.plugins:ssh-credentials:jar:277.v95c2fec1c047",
    "Basic internationalization comes first.",
    "We use sk-learn-compatible-estimators here.",
    "duplicate key violates pk_customerorderitems",
    "First pass: 2024-05-01",
    "_auth=authenticate",
    'Its "type": "service_account" stays.',
    "error: the option --password requires a value, and --password provided twice is one too many",
    "docker run --name mysql -p3306:3306 -p127.0.0.1:3307:3306 mysql:8",
    "curl -u ada:%PASSWORD% https://intranet",
    "final FirebaseAuth _auth = FirebaseAuth.instance;",
    'var _auth = require("./auth");',
    'proxy_pass: "http://backend2:8080", render_pass = shadow_map_0123',
    "max_tokens: 1048576",
    '"jsonwebtoken": "^9.0.2", "password-hash": "1.0.0-beta.2"',
    "tokenizers==0.15.2",
    "TOKEN_ENDPOINT=https://auth.example.com/oauth2/token",
    "com.example:token-service:2.14.3",
    "FAILED test_0f3a1b2c4d5e6f7a8b9c0d1e2f3a4b5c, restored from cache-key-0f3a1b2c4d5e6f7a8b9c0d1e2f3a4b5c",
    "pods/checkout-api-550e8400-e29b-41d4-a716-446655440000 and deployment.apps/sdk-550e8400-e29b-41d4-a716-446655440000",
    "Run it with --token expired or --api-key missing-from-the-environment",
    "docker login -p is insecure; docker login --username ci --password-stdin < file",
    "docker login && npm run build -p tsconfig.json",
    "<token>identifier</token> <tokenCount>131072</tokenCount> <password>$PASSWORD</password>",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db",
    "- name: DB_PASSWORD\n  value: $(PASSWORD_OF_DB)",
    '{"name": "token", "value": "expired"}',
    '{name: "accessKeySecret", value: s3Config.AccessKeySecret}, secret = s3Config.AccessKeySecret',
    "<token>#{token1.value}</token>",
    "secretName: shop-tls-2024, token_type: bearer2, api_key_header: X-Api-Key-2",
    "tokenizer: gpt2-medium, secret_arn: arn2:x1, secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db",
    "PWD=/home/ci3/shop, OLDPWD=/home/ci3, pwd: C:\\\\ci3\\\\shop",
    "SyntaxError: unexpected token: foo123bar, expected token: IDENT2",
    "We set password 'forgotten' as the reason, and are identified by 'shop'.",
    '$password = is_array($token) ? $token["token"] : "private-token-1"',
    "sl.a_long_name_of_a_function_with_many_words_and_more_of_them_in_it()",
  ])("are not detected in %j", (text) => {
    expect(maskSecrets(text).text).toBe(text);
  });

  it("are masked with every listed token format, several in a line, at the end of others", () => {
    for (const { whole } of tokens) {
      const { text, kinds } = maskSecrets(`first:\none ${whole}, two ${whole}\nlast`);
      expect(text).not.toContain(whole);
      expect(text).toMatch(/^first:\n[\s\S]*\[masked [\s\S]*, two [\s\S]*\nlast$/);
      expect(kinds.size).toBeGreaterThan(0);
    }
  });

  it.each([
    "mysqldump -pq7Zk2mX9 shop > a; mysqldump -pq7Zk2mX9-too crm > b",
    "curl -u ada:$PASS https://a.example; curl -u ada:q7Zk2mX9pL https://b.example",
    `docker login -u AWS --password ${"q7Zk2mX9".repeat(200)}`,
    `curl -u ada:${"q7Zk2mX9".repeat(40)} https://a.example`,
    "app --password=dapi0123456789abcdef0123456789abcdef,q7Zk2mX9pL",
    "user:token:password=q7Zk2mX9pL",
    "sa:password:q7Zk2mX9pL",
    "TOKEN_URL=https://auth.example.com/?token=q7Zk2mX9pL4v",
    '_auth = "dXNlcjpxN1prMm1YOQ=="',
    "token_type=bearer&access_token=q7Zk2mX9pL4v",
    "PWD=/home/ci3&password=q7Zk2mX9pL4v",
  ])("are masked whole, and each of several, in %j", (text) => {
    expect(maskSecrets(text).text).not.toMatch(/q7Zk2mX9|dXNlcjpx/);
  });

  it("are masked in free-form data, whatever stands under a name that says that it is secret", () => {
    const kinds = new Set<string>();
    const given = {
      password: "hunter2",
      apiKeys: ["one", "two"],
      note: "DB_PASS=hunter2x9",
      env: [
        { name: "DB_PASSWORD", value: "hunter2" },
        { key: "REGION", value: "eu-west" },
      ],
      nested: { secret: "", token: "$TOKEN", user: "ada", count: 3, none: null },
    };
    const masked = "[masked assigned-secret]";
    expect(maskSecretsIn(given, kinds)).toEqual({
      ...given,
      password: masked,
      apiKeys: [masked, masked],
      note: `DB_PASS=${masked}`,
      env: [{ name: "DB_PASSWORD", value: masked }, given.env[1]],
    });
    expect([...kinds]).toEqual(["assigned-secret"]);
  });

  it.each([
    "password".repeat(100_000),
    `a${":/".repeat(500_000)}`,
    "-eyJ".repeat(100_000),
    "<password ".repeat(100_000),
    `token: ${"aaaa.".repeat(90)}7!\n`.repeat(100),
    `docker login ${"-p ".repeat(100_000)}`,
    `docker login ${"docker login ".repeat(50_000)}`,
    "name: password\n".repeat(50_000),
    " --a-token".repeat(50_000),
  ])("are looked for in a text that is made to be hard, without an end to it: %.20s…", (text) => {
    expect(maskSecrets(text).text).toBe(text);
  });

  it("are masked at the end of a text of many private keys, each of which only begins", () => {
    const { text, kinds } = maskSecrets("-----BEGIN PRIVATE KEY-----".repeat(10_000));
    expect(text).toMatch(/\[masked private-key\]$/);
    expect([...kinds]).toEqual(["private-key"]);
  });
});
