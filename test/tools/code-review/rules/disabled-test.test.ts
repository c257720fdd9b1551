import { ruleCases } from "../cases.ts";

ruleCases("disabled-test", {
  javascript: {
    file: "src/app.test.ts",
    must: [
      "it.skip('works', () => {})",
      "describe.only('app', () => {})",
      "xit('works', () => {})",
      "fdescribe('app', () => {})",
      "test.skip('works', async () => {})",
      "it.only.each([1])('works', () => {})",
      "test.concurrent.only('works', run)",
    ],
    mustNot: [
      "it('works', () => {})",
      "it.todo('works')",
      "test.skip(isWindows, 'no symlinks')",
      "list.only('a', b)",
      "context.skip()",
      "describe.skipIf(windows)('app', run)",
      "const skip = it.skip;",
    ],
  },
  python: {
    file: "tests/test_app.py",
    must: [
      "@pytest.mark.skip\ndef test_app(): ...",
      "@unittest.skip('later')\ndef test_app(self): ...",
      "@pytest.mark.skip(reason='flaky')\ndef test_app(): ...",
      "    self.skipTest('later')",
    ],
    mustNot: [
      "@pytest.mark.skipif(sys.platform == 'win32', reason='no symlinks')\ndef test_app(): ...",
      "if windows:\n    pytest.skip('no symlinks')",
      "@unittest.skipUnless(linux, 'linux')\ndef test_app(self): ...",
    ],
  },
  go: {
    file: "app_test.go",
    must: [
      'func TestApp(t *testing.T) {\n\tt.Skip("flaky")«here»\n}',
      "func TestApp(t *testing.T) {\n\tt.SkipNow()\n}",
    ],
    mustNot: [
      'func TestApp(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("slow")\n\t}\n}',
      "reader.Skip(4)",
    ],
  },
  java: {
    file: "AppTest.java",
    must: [
      "@Disabled\n@Test\nvoid works() {}",
      '@Ignore("flaky")\n@Test\npublic void works() {}',
      "@Test(enabled = false)\npublic void works() {}",
    ],
    mustNot: [
      "@DisabledOnOs(OS.WINDOWS)\n@Test\nvoid works() {}",
      "@Test\nvoid works() {}",
      "@JsonIgnore\nprivate String name;",
    ],
  },
  ruby: {
    file: "spec/app_spec.rb",
    must: ["xit 'works' do\nend", "fdescribe 'app' do\nend", "skip 'flaky'", "pending 'not yet'"],
    mustNot: ["it 'works' do\nend", "lines.skip(1)", "skip_before_action :login"],
  },
  php: {
    file: "tests/AppTest.php",
    must: [
      "<?php\nfunction testApp() {\n  $this->markTestSkipped('flaky');\n}",
      "<?php\nfunction testApp() {\n  $this->markTestIncomplete();\n}",
    ],
    mustNot: [
      "<?php\nfunction testApp() {\n  if (!extension_loaded('gd')) {\n    $this->markTestSkipped('no gd');\n  }\n}",
      "<?php\nfunction testApp() {\n  $this->assertTrue(true);\n}",
    ],
  },
  cpp: {
    file: "app_test.cc",
    must: [
      "TEST(App, DISABLED_Works) {}",
      "TEST_F(DISABLED_App, Works) {}",
      "TEST(App, Works) {\n  GTEST_SKIP();\n}",
    ],
    mustNot: ["TEST(App, Works) {}", "TEST(App, Works) {\n  if (windows)\n    GTEST_SKIP();\n}"],
  },
  csharp: {
    file: "AppTests.cs",
    must: [
      "[Ignore]\npublic void Works() {}",
      '[Fact(Skip = "flaky")]\npublic void Works() {}',
      '[Test, Ignore("flaky")]\npublic void Works() {}',
    ],
    mustNot: ["[Fact]\npublic void Works() {}", "[JsonIgnore]\npublic string Name { get; set; }"],
  },
  rust: {
    file: "tests/app.rs",
    must: ["#[test]\n#[ignore]\nfn works() {}", '#[ignore = "flaky"]\nfn works() {}'],
    mustNot: ["#[test]\nfn works() {}", "#[serde(skip)]\nname: String,"],
  },
});
