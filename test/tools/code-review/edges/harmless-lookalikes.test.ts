import { expect, it } from "vitest";
import { looksGenerated } from "../../../../src/tools/code-review/secrets/randomness.ts";
import { switchOf } from "../../../../src/tools/code-review/tls/switch-names.ts";
import { edges } from "./edges.ts";

it.each([
  ["DisableCerts", undefined],
  ["disable_certificates", undefined],
  ["noHostname", undefined],
  ["withoutCertificate", undefined],
  ["IgnoreLoadedCerts", undefined],
  ["disableCertificateValidation", "loosening"],
  ["noHostnameVerification", "loosening"],
  ["disableSsl", "loosening"],
  ["ignoreCerts", "loosening"],
  ["ignoreSslCertificate", "loosening"],
  ["ignoreInvalidCertificates", "loosening"],
  ["ignoreCertificateErrors", "loosening"],
  ["certificatesIgnored", undefined],
  ["insecureCert", "loosening"],
])("a setting that is called %s is %s", (name, expected) => {
  expect(switchOf(name)).toBe(expected);
});

it.each([
  ["reverse_proxy.tls_h1_only", false],
  ["reverse_h1.tls_h2_only", true],
  ["x9_h1_only_q7", true],
])("%s was made by chance: %s", (text, expected) => {
  expect(looksGenerated(text, 8)).toBe(expected);
});

edges("weak-cryptography", "a.go", [
  ["package a\n\nfunc f() {\n\tbcrypt.GenerateFromPassword(p, bcrypt.MinCost)\n}", "4"],
  ["package a\n\nfunc f() {\n\tcost := bcrypt.MinCost\n}", "4"],
  ["package a\n\nfunc f() {\n\tif cost < bcrypt.MinCost {\n\t}\n}"],
  ["package a\n\nfunc f() {\n\tif bcrypt.MinCost >= cost {\n\t}\n}"],
  ["package a\n\nfunc f() {\n\tif cost != bcrypt.MinCost {\n\t}\n}"],
]);

edges("disabled-test", "a_test.go", [
  [
    'func TestA(t *testing.T) {\n\tif err := os.Symlink(a, b); err != nil {\n\t\tt.Skipf("none: %v", err)\n\t}\n}',
  ],
  [`func TestA(t *testing.T) {\n\tif f(${"a, ".repeat(20)}a) {\n\t\tt.Skip("b")\n\t}\n}`],
  ["func TestA(t *testing.T) {\n\tif a {\n\t\tb()\n\t}\n\tt.Skip()\n}", "5"],
  [
    'func TestA(t *testing.T) {\n\tif a {\n\t\tb()\n\t}\n\tt.Run("c", func(t *testing.T) {\n\t\tt.Skip()\n\t})\n}',
    "6",
  ],
]);

edges("unsafe-html", "a.js", [
  ["window.location = window.location.pathname;"],
  ["window.location = location.pathname + location.search;"],
  ["location.href = document.location.href;"],
  ["window.location = location.hash.slice(1);", "1"],
  ["window.location = new URLSearchParams(location.search).get('next');", "1"],
]);
