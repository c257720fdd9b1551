import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";
import { findingsIn } from "../cases.ts";
import { partlyKnown } from "../whole-names/whole-names.ts";

/** Returns variants of a form: one or two spaces for each ␣, and none, one or two for each ·. */
function spacings(form: string): string[] {
  return [
    form.replaceAll("·", "").replaceAll("␣", " "),
    form.replaceAll(/[·␣]/g, " "),
    form.replaceAll(/[·␣]/g, "  "),
  ];
}

/** Tests that code that is read line by line is recognised with any spacing. */
function spaced(rule: RuleId, path: string, forms: readonly string[]): void {
  describe(`${rule} in ${path}, with any whitespace`, () => {
    it.each(forms)("reports %s", (form) => {
      const missed = spacings(form).filter(
        (code) => findingsIn(path, code, { rules: { only: [rule] } }).length === 0,
      );
      expect(missed).toEqual([]);
    });
    it("matches names only as a whole", () => {
      const examples = forms.map((form) => ({ rule, path, code: spacings(form)[1] as string }));
      expect(partlyKnown(examples).partly).toEqual([]);
    });
  });
}

spaced("unsafe-html", "a.html", [
  '<p v-html·=·"a">',
  "<p [innerHTML]·=·'a'>",
  "<p ng-bind-html·=·'a'>",
  "{{{·a}}}",
  "{{·a·|·safe·}}",
  "{%·autoescape␣off·%}",
  "{%-·autoescape␣false·%}",
  "{!!·$a·!!}",
  "<p th:utext·=·'a'>",
  '<h:outputText␣value="a" escape·=·"false"/>',
  "<c:out escapeXml·=·'false'/>",
  "{{·a·|·raw·}}",
  '<pages validateRequest·=·"false"/>',
]);
spaced("unsafe-html", "a.svelte", ["{@html␣a}"]);
spaced("unsafe-html", "a.astro", ["<p set:html·=·{a}>"]);
spaced("unsafe-html", "a.ejs", ["<%-·a·%>"]);
spaced("unsafe-html", "a.mustache", ["{{&·a}}"]);
spaced("unsafe-html", "a.pug", ["·p!=␣a", "·p.b#c-d!=␣a", "·!=␣a"]);
spaced("unsafe-html", "a.haml", ["·%p!=␣a", "·%p{a: 1}!=␣a", "·%p&=·raw a", "·%p&==·raw a", "%p=·raw a"]);
spaced("unsafe-html", "a.slim", ["·p␣==␣a", "·p.b#c-d␣==␣a", "==␣a", "p␣=·raw␣a"]);
spaced("unsafe-html", "a.jsp", ['<%=·request.getParameter("a")·%>', "${·param.a·}"]);
spaced("unsafe-html", "a.erb", ['<a href·=·"<%=·a·%>">', "<form formaction·=·'<%=·a·%>'>"]);
spaced("unsafe-html", "a.cshtml", ["@(·new␣HtmlString(a))"]);
spaced("unsafe-html", "a.j2", ["<script>var a = {{·a·}};</script>", "<script>{{-·a·}}</script>"]);

spaced("weak-cryptography", "a.sh", [
  "openssl␣des -in a",
  "openssl␣enc␣-des-cbc",
  "openssl␣rc4-40",
  "openssl␣bf-cbc",
  "openssl␣aes-128-ecb",
  "openssl␣md5 a",
  "openssl␣dgst -sha1 a",
  "openssl␣req -new -md5",
  "openssl␣genrsa 1024",
  "ssh-keygen -t·dsa",
  "ssh-keygen -b·1024",
  "htpasswd␣-bm a",
  "mkpasswd -m·md5",
  "keytool -genkey -sigalg␣MD5withRSA",
  "keytool -genkey -keysize␣1024",
  "gpg --cipher-algo␣3DES",
  "gpg2 --digest-algo␣SHA1",
  "openssl␣passwd␣-apr1",
]);
spaced("weak-cryptography", "a.config", [
  '<machineKey decryption·=·"DES"/>',
  "<machineKey validation·=·'3DES'/>",
  '<a passwordFormat·=·"Clear"/>',
  '<a Algorithm·=·"http://www.w3.org/2000/09/xmldsig#rsa-sha1"/>',
]);
spaced("weak-cryptography", "a.ps1", ["New-Cert -KeyLength␣1024", "Get-FileHash a -Algorithm␣MD5"]);

spaced("command-injection", "a.sh", [
  'bash␣-c␣"a $b"',
  "sh␣-lc␣$a",
  "xargs sh␣-c␣'b {}'",
  "Invoke-Expression␣$a",
  "iex␣(a)",
  "a |iex␣$b",
]);
spaced("command-injection", "a.yml", [
  "run: echo ${{·github.head_ref·}}",
  "·-␣run: echo ${{ github.head_ref }}",
  "·-␣script: a(${{ github.head_ref }})",
]);

spaced("code-evaluation", "a.sh", [
  'eval␣"a $b"',
  "eval␣$a",
  "a;·eval␣`b`",
  "curl a |·sh",
  "curl a |·sudo␣bash",
  "curl a |·sudo␣-E␣bash",
  "wget -O- a |·/bin/sh",
  "bash␣<(·curl a)",
  "source␣<(·curl a)",
  ".␣<(·wget a)",
  'sh␣-c␣"$(curl a)"',
  'python3␣-c␣"$(wget a)"',
  "curl a |·python3",
  "curl a |·sudo␣perl",
  "curl a |·python3␣-",
  "curl a |·ruby·;b",
]);

spaced("debug-leftover", "a.py", [
  "·DEBUG·=·True",
  "app.run(debug·=·True)",
  "app.debug·=·True",
  "app.run(a, debug·=·True)",
  'os.environ["FLASK_DEBUG"]·=·"1"',
  "FLASK_DEBUG·=·1",
  "FLASK_DEBUG·=·True",
]);
spaced("debug-leftover", "a.php", [
  "<?php ini_set(·'display_errors'·,·'1');",
  '<?php ini_set(·"display_errors"·,·on);',
]);
spaced("debug-leftover", "a.xml", [
  '<compilation debug·=·"true"/>',
  "<application android:debuggable·=·'true'/>",
  '<customErrors mode·=·"Off"/>',
  '<customErrors a="b" mode·=·"Off"/>',
  '<trace enabled·=·"true"/>',
  '<trace a="b" enabled·=·"true"/>',
]);

spaced("disabled-test", "ATest.java", [
  "·@Disabled",
  "·@Ignore",
  "@Test·(enabled·=·false)",
  "@Test·(a = 1, enabled·=·false)",
  "·xit·('a') {",
  "·xdescribe·('a') {",
]);
spaced("disabled-test", "ATests.cs", [
  "[·Ignore·]",
  "[·Explicit·]",
  "[·IgnoreAttribute·]",
  '[·Ignore·("a")]',
  "[·Test,·Ignore·]",
  '[·Fact·(Skip·= "a")]',
  '[·Theory·(A = 1, Skip·= "a")]',
]);
spaced("disabled-test", "a_test.rs", ["·#[ignore]", '·#[ignore = "a"]']);
spaced("disabled-test", "a_test.cpp", [
  "TEST·(·DISABLED_A·,·B)",
  "TEST_F·(·A·,·DISABLED_B)",
  "TEST_P·(·A·,·DISABLED_B)",
  "·GTEST_SKIP() << a;",
  "BOOST_AUTO_TEST_CASE(a, *·boost::unit_test::disabled())",
]);

spaced("tls-verification-disabled", "a.conf", [
  "http.sslVerify␣false",
  "GIT_SSL_NO_VERIFY·=·1",
  "GIT_SSL_NO_VERIFY·:·true",
  "NODE_TLS_REJECT_UNAUTHORIZED·=·0",
  "PYTHONHTTPSVERIFY·=·0",
  "strict-ssl␣false",
  "insecure_skip_verify·:·true",
  "tls_insecure·=·yes",
  "verify_ssl·:·false",
  "rejectUnauthorized·:·false",
  "TrustServerCertificate·=·true",
  "·trusted-host·=·a",
  'AllowUnauthenticated·"true"',
  "gpgcheck·=·0",
  "StrictHostKeyChecking␣no",
  "ServerCertificateValidationCallback·=·{·$true }",
  "ServerCertificateValidationCallback·=·{·return␣$true }",
  "ssl_protocols TLSv1;",
  "min_tls_version·=·1.0",
  "ssl:verify-certificate␣no",
  "ssl_verify␣false",
  "disable-tls␣true",
  "proxy_ssl_verify␣off",
  "SSLVerifyClient␣none",
  "ssl␣verify␣none",
  "SSLProtocol␣all -TLSv1",
  "ssl-min-ver␣SSLv3",
  "sslmode·=·disable",
  "<key>NSAllowsArbitraryLoads</key>·<true/>",
]);
spaced("tls-verification-disabled", "a.ts", [
  'const a = "Server=b;TrustServerCertificate·=·true";',
  'const a = "Server=b;Trust Server Certificate·=·yes";',
]);
spaced("tls-verification-disabled", "Dockerfile", [
  "ENV␣NODE_TLS_REJECT_UNAUTHORIZED␣0",
  "ENV␣NODE_TLS_REJECT_UNAUTHORIZED·=·0",
  "ARG␣INSECURE_SKIP_VERIFY·=·true",
]);

spaced("unresolved-todo", "a.ts", ["//·TODO·:·a", "//·todo·:·a", "//·fixme␣-·a", "/*·hack·:·a */"]);
