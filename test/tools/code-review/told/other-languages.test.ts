import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../../src/tools/code-review/finding.ts";
import { findingsIn } from "../cases.ts";

/** Code that is a flaw in one language, and none in others, where the same words mean something else. */
const TABLE: Partial<Record<RuleId, [owner: string, code: string, others: string[]][]>> = {
  "unsafe-html": [
    ["a.ts", "location.href = location.hash;", ["a.py", "a.rb", "A.java"]],
    ["a.ts", "el.innerHTML = unseen;", ["a.py", "a.rb", "A.java", "A.cs", "a.go"]],
    ["a.ts", "const b = { __html: unseen };", ["a.rb", "a.go"]],
    ["a.ts", "a.replace('<', '&lt;');", ["a.py", "a.rb", "A.java", "A.cs"]],
    ["a.rb", "unseen.html_safe", ["a.py", "a.ts"]],
    ["a.rb", "render(inline: unseen)", ["a.py", "a.ts"]],
    ["A.cs", "[AllowHtml]", ["A.java", "a.ts"]],
    ["A.cs", "[ValidateInput(false)]", ["a.ts", "a.rb"]],
    ["a.go", "var b template.HTML = unseen", ["a.ts", "A.java"]],
    ["a.py", "Environment(loader=a)", ["a.ts", "a.rb", "a.php"]],
    ["a.py", "class A(Markup):\n    pass", ["a.rb"]],
    ["a.py", "class A:\n    def __html__(self):\n        return b", ["a.rb"]],
    ["a.cshtml", "<p>@Html.Raw(unseen)</p>", ["a.ts"]],
    ["a.erb", "<%== a %>", ["a.rb", "a.ts"]],
    ["a.html", "{{ a|safe }}", ["a.ts", "a.py", "a.rb"]],
  ],
  "command-injection": [
    ["a.go", "func f(a string) { c := exec.Cmd{Path: a} }", ["A.java", "a.ts", "a.rs"]],
    ["A.cs", 'void F(string a) { i.Arguments = "/c " + a; }', ["A.java", "a.cpp"]],
    ["a.rb", "`ls #{unseen}`", ["a.py", "a.go"]],
    ["a.ts", "execFile('ls', ['-l'], { shell: true });", ["a.php", "a.rb"]],
    ["a.scala", "import sys.process._\ndef f(a: String) = a.!", ["A.java", "a.kt"]],
    ["a.sh", 'bash -c "a $b"', ["a.conf"]],
    ["a.rs", 'fn f(a: String) { Command::new("sh").arg(a); }', ["a.ts"]],
  ],
  "path-traversal": [
    ["a.py", "Path('/b') / request.args['a']", ["a.ts", "a.rb"]],
    ["a.rb", "Dir[params[:a]]", ["a.py", "a.ts"]],
    ["a.rb", "render(file: params[:a])", ["a.py", "a.ts"]],
    ["A.java", 'String f(@RequestParam String a) { return "redirect:" + a; }', ["A.cs"]],
    ["a.py", "tarfile.open(a).extractall()", ["a.rb", "a.ts"]],
    ["A.java", "void f(ZipEntry e) { new File(d, e.getName()); }", ["a.ts", "a.php"]],
  ],
  "code-evaluation": [
    ["a.rb", "params[:a].constantize", ["a.py", "a.ts"]],
    ["a.rb", "b.map(&params[:a])", ["a.py", "a.php"]],
    ["a.py", "globals()[request.args['a']]()", ["a.ts", "a.rb"]],
    ["a.ts", "setTimeout('run()', 1);", ["a.py", "a.php"]],
    ["a.ts", "function f(a) { window[a](); }", ["a.php"]],
    ["a.ts", "launch(['--remote-debugging-port=9222']);", ["a.py", "A.java"]],
    ["a.sh", "eval $a", ["Dockerfile", "a.go"]],
    ["a.sh", "curl a | sh", ["a.py", "a.rb"]],
  ],
  "sql-injection": [
    ["A.cs", 'c.CommandText = "SELECT a FROM b WHERE c = " + d;\nc.ExecuteReader();', ["a.swift"]],
  ],
  "tls-verification-disabled": [
    ["a.py", "ssl.wrap_socket(a)", ["a.rb", "a.ts"]],
    ["a.rb", "a = { paranoid: false }", ["a.ts", "a.py"]],
    ["a.py", "requests.get(a, ssl=False)", ["a.ts"]],
    ["a.conf", "ssl_verify false", ["a.ts", "a.py"]],
    ["a.tf", 'min_tls_version = "1.0"', ["a.py"]],
  ],
  "weak-cryptography": [
    ["A.java", 'Cipher.getInstance("AES");', ["a.ts", "A.cs"]],
    ["a.ts", "crypto.createCipher('aes192', a);", ["a.py", "A.java"]],
    ["a.go", "des.NewCipher(a)", ["a.php"]],
    ["a.rb", "OpenSSL::Digest::MD5", ["a.conf"]],
    ["a.sh", "openssl md5 a", ["a.ts", "a.py"]],
  ],
  "swallowed-error": [
    ["a.ts", "a().catch(() => {});", ["a.php", "A.java"]],
    ["a.py", "try:\n    a()\nexcept B:\n    pass", ["a.rb", "a.ts"]],
    ["a.rb", "begin\n  a\nrescue\nend", ["a.py"]],
    ["a.rb", "a rescue nil", ["a.py", "a.php"]],
    ["a.go", "if err != nil {}", ["a.rs", "a.ts"]],
    ["a.go", "_ = err", ["a.py", "a.rs"]],
    ["a.rs", "a.send().ok();", ["a.ts", "a.go"]],
    ["a.rs", "match a { Err(_) => {} }", ["a.ts"]],
  ],
  "loose-equality": [
    ["a.ts", "if (a == b) c();", ["a.go", "A.cs", "A.java", "a.php"]],
    ["a.py", "a is 'b'", ["a.ts", "a.rb"]],
    ["A.java", 'a == "b"', ["A.cs", "a.kt", "a.scala", "a.groovy", "a.go"]],
    ["a.php", "<?php if ($token == $given) {}", ["A.cs", "a.go"]],
  ],
  "disabled-test": [
    ["a.test.ts", "xit('a', () => {});", ["a_test.go"]],
    ["a_spec.rb", "xit 'a' do\nend", ["a_test.py"]],
    ["a_test.go", "func TestA(t *testing.T) { t.Skip() }", ["a.test.ts"]],
    ["ATest.php", "<?php $this->markTestSkipped();", ["a.test.ts"]],
    ["test_a.py", "@pytest.mark.skip", ["a.test.ts", "ATest.java"]],
    ["ATest.java", "@Disabled", ["test_a.py", "ATest.cs"]],
    ["ATest.cs", "[Ignore]", ["ATest.java"]],
    ["a_test.rs", "#[ignore]", ["ATest.cs", "test_a.py"]],
    ["a_test.cpp", "GTEST_SKIP() << a;", ["a_test.rs", "ATest.cs"]],
  ],
  "debug-leftover": [
    ["a.ts", "debugger;", ["a.go", "A.java", "a.py"]],
    ["a.ts", "console.log(a);", ["a.py", "a.php", "A.java"]],
    ["a.ts", "alert(a);", ["a.py", "a.rb"]],
    ["a.py", "breakpoint()", ["a.ts", "a.rb"]],
    ["a.py", "DEBUG = True", ["a.ts", "a.rb"]],
    ["a.rb", "byebug", ["a.py", "a.ts"]],
    ["a.rb", "binding.pry", ["a.py", "a.ts"]],
    ["a.php", "<?php ini_set('display_errors', '1');", ["a.ts"]],
    ["a.php", "<?php var_dump($a);", ["A.java", "a.py"]],
    ["a.go", "spew.Dump(a)", ["a.ts"]],
    ["A.java", "e.printStackTrace();", ["a.ts", "A.cs"]],
    ["a.rs", "dbg!(a);", ["a.rb"]],
    ["A.cs", "Debugger.Break();", ["A.java"]],
  ],
  "insecure-randomness": [
    ["a.ts", "const token = Math.random();", ["a.py", "a.go"]],
    ["a.py", "token = random.randint(1, 2)", ["a.ts", "a.go"]],
    ["a.rb", "token = rand(9)", ["a.py", "a.ts"]],
    ["a.cpp", "std::mt19937 tokens;", ["a.c", "a.rs"]],
    ["A.java", "String token = RandomStringUtils.random(9);", ["A.cs"]],
  ],
};

describe.each(Object.entries(TABLE) as [RuleId, [string, string, string[]][]][])("%s", (rule, rows) => {
  const isReported = (path: string, code: string) =>
    findingsIn(path, code, { rules: { only: [rule] } }).length > 0;

  it.each(rows)("reports in %s, but not in other languages: %j", (owner, code, others) => {
    expect([owner, ...others].filter((path) => isReported(path, code))).toEqual([owner]);
  });
});
