import { expect, it } from "vitest";
import { weaknessOf } from "../../../../src/tools/code-review/cryptography/weak-names.ts";
import { namedValues } from "../../../../src/tools/code-review/secrets/named-values.ts";
import { looksGenerated } from "../../../../src/tools/code-review/secrets/randomness.ts";
import { switchOf } from "../../../../src/tools/code-review/tls/switch-names.ts";
import { edges } from "../edges.ts";

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
])("switchOf() classifies a setting named %s as %s", (name, expected) => {
  expect(switchOf(name)).toBe(expected);
});

it.each([
  ["reverse_proxy.tls_h1_only", false],
  ["reverse_h1.tls_h2_only", true],
  ["x9_h1_only_q7", true],
])("looksGenerated(%s) is %s", (text, expected) => {
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
  ["window.location.href = `${window.location.pathname}?a=${location.search}`;"],
  ["window.location.href = `${location.search}${window.location.pathname}`;", "1"],
  ["window.location = location.pathname + location.search;"],
  ["location.href = document.location.href;"],
  ["window.location = location.hash.slice(1);", "1"],
  ["window.location = new URLSearchParams(location.search).get('next');", "1"],
]);

it.each([
  ["seedKey", undefined],
  ["SetSeed", undefined],
  ["seedData", undefined],
  ["castArray", undefined],
  ["SEED_DATA", undefined],
  ["seed_cbc_encrypt", "cipher"],
  ["EVP_seed_cbc", "cipher"],
  ["CKM_CAST_ECB", "cipher"],
  ["IDEA_set_encrypt_key", "cipher"],
  ["SEED_set_key", "cipher"],
  ["desKey", "cipher"],
])("weaknessOf(%s) is %s", (name, expected) => {
  expect(weaknessOf(name)).toBe(expected);
});

it("namedValues() ends the value of a URL parameter at the next parameter", () => {
  const values = (line: string) => namedValues(line).map(({ value }) => value);
  expect(values('get("/a?api_key=Zq8PfL2m&lang=pt&mbid=7")')).toEqual(["Zq8PfL2m"]);
  expect(values("/a?lang=pt&api_key=Zq8PfL2m")).toEqual(["Zq8PfL2m"]);
  expect(values("api_key=Zq8&PfL2m")).toEqual(["Zq8&PfL2m"]);
});

edges("sql-injection", "a.py", [
  ["def f(a):\n    return query.filter(or_(*[M.name.like(f'%{n}%') for n in a]))"],
  ["def f(a):\n    return query.order_by(desc(M.name.ilike(f'%{a}%')))"],
  ["def f(a):\n    return query.filter(f'name = {a}')", "2"],
]);

edges("loose-equality", "a.php", [
  ["<?php if ($token == $a) { b(); }", "1"],
  ["<?php if ($key == 4) { b(); }"],
  ["<?php f($token, PHP_INT_SIZE == 4 ? a : b);"],
]);

edges("unsafe-html", "a.blade.php", [
  ["<p>{!! $a !!}</p>", "1"],
  ["<p>{!! json_encode($a) !!}</p>", "1"],
  ["<script>var a = {!! json_encode($a) !!};</script>"],
  ["<script>f({ a: {!! json_encode(array($a)) !!} });</script>"],
  ["<script>var a = {!! json_encode($a, JSON_UNESCAPED_SLASHES) !!};</script>", "1"],
  ["<script>var a = {!! $a !!};</script>", "1"],
]);
