import { describe, expect, it } from "vitest";
import { maskSecrets } from "../../../src/text/secrets/mask-secrets.ts";
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
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", "private-key"],
    ["DB_PASS=hunter2x9", "assigned-secret"],
    ["$env:API_KEY=9f8a7b6c5d", "assigned-secret"],
    ["Passwort: Sommer2024!", "assigned-secret"],
    ["mysql -u root -pS3cr3tPa55 shop", "password-in-command"],
    ["curl -u admin:S3cr3tPa55 https://intranet", "password-in-command"],
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
    'Its "type": "service_account" stays.',
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

  it("are masked in linear time in pathological texts", () => {
    for (const text of [
      "password".repeat(100_000),
      "-----BEGIN PRIVATE KEY-----".repeat(10_000),
      `a${":/".repeat(500_000)}`,
    ]) {
      maskSecrets(text);
    }
  });
});
