import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/open-repository.ts";
import { testCommands } from "../../src/repository/tests/test-commands.ts";
import { testsAmong } from "../../src/repository/tests/tests-among.ts";
import { argumentWord } from "../../src/system/processes/shell-word.ts";
import { directoryWith } from "./directory.ts";

async function commandsOf(files: Record<string, string>): Promise<string[]> {
  const repository = await openRepository(directoryWith(files));
  const tests = [...repository.files.values()].filter(({ isTest }) => isTest).map(({ path }) => path);
  return testCommands(repository, tests).map(({ directory, command }) => `${directory}: ${command}`);
}

describe("the tests of a repository", () => {
  it("are found by name, or by folder if none has a test name", () => {
    const paths = [
      "src/a.test.ts",
      "src/a.ts",
      "test/app.js",
      "test/support/env.js",
      "test/fixtures/x.js",
      "web/__tests__/a.spec.js",
      "web/__tests__/render.js",
      "py/test_a.py",
      "py/tests/helper.py",
      "go/a_test.go",
      "src/test/java/StoreTest.java",
      "src/test/java/Store.java",
      "contest.js",
      "c/cart_test.cc",
      "c/test-cart.c",
      "c/contest.c",
      "c/cart_test.h",
      "kt/src/commonTest/kotlin/shop/CartSpec.kt",
      "kt/src/main/kotlin/shop/CartSpec.kt",
      "sc/src/test/scala/CartSuite.scala",
      "sc/src/main/scala/CartSuite.scala",
      "sw/Tests/CartTests/CartTests.swift",
      "sw/Tests/CartTests/Helper.swift",
      "sw/Sources/CartTests.swift",
      "net/CartTests.cs",
      "net/CartSpec.cs",
      "da/test/pages/cart_test.dart",
      "da/integration_test/app_test.dart",
      "da/test/helper.dart",
      "da/test_driver/integration_test.dart",
      "da/lib/cart_test.dart",
    ];
    const isTest = testsAmong(paths);
    expect(paths.filter(isTest)).toEqual([
      "src/a.test.ts",
      "test/app.js",
      "web/__tests__/a.spec.js",
      "py/test_a.py",
      "go/a_test.go",
      "src/test/java/StoreTest.java",
      "c/cart_test.cc",
      "c/test-cart.c",
      "kt/src/commonTest/kotlin/shop/CartSpec.kt",
      "sc/src/test/scala/CartSuite.scala",
      "sw/Tests/CartTests/CartTests.swift",
      "net/CartTests.cs",
      "da/test/pages/cart_test.dart",
      "da/integration_test/app_test.dart",
    ]);
  });

  it("are run by the runner of the nearest package with one", async () => {
    const manifest = (test: string, devDependencies: Record<string, string> = {}) =>
      JSON.stringify({ scripts: { test }, devDependencies });
    expect(
      await commandsOf({
        "package.json": manifest("NODE_ENV=test mocha --require test/env -R spec test/ && echo done"),
        "pnpm-lock.yaml": "",
        "test/a.js": "",
        "packages/v/package.json": manifest("", { vitest: "1" }),
        "packages/v/src/a b.test.ts": "",
        "packages/n/package.json": manifest("node --import tsx --test"),
        "packages/n/a.test.ts": "",
        "packages/plain/package.json": "{}",
        "packages/plain/a.test.js": "",
      }),
    ).toEqual([
      "packages/n: node --import tsx --test a.test.ts",
      ". : pnpm exec mocha --require test/env -R spec packages/plain/a.test.js test/a.js".replace(
        ". :",
        ".:",
      ),
      "packages/v: pnpm exec vitest run 'src/a b.test.ts'",
    ]);
  });

  it("are run with pytest, go test, Maven, Gradle, dotnet test, Pest, PHPUnit, RSpec, Rails, Minitest and cargo test", async () => {
    expect(
      await commandsOf({
        "py/pyproject.toml": "",
        "py/tests/test_a.py": "import pytest",
        "go/go.mod": "module a",
        "go/a_test.go": "package a",
        "go/in/b_test.go": "package in",
        "rust/Cargo.toml": "",
        "rust/tests/it.rs": "",
        "java/pom.xml": "",
        "java/src/test/java/ATest.java": "class ATest {}",
        "kotlin/build.gradle.kts": "",
        "kotlin/src/test/kotlin/BTest.kt": "class BTest",
        "net/CartTests.cs": "class CartTests {}",
        "pest/composer.json": '{ "require-dev": { "pestphp/pest": "^3" } }',
        "pest/tests/AddTest.php": "<?php",
        "php/composer.json": "{}",
        "php/tests/CartTest.php": "<?php class CartTest {}",
        "rspec/Gemfile": "",
        "rspec/spec/spec_helper.rb": "",
        "rspec/spec/cart_spec.rb": "",
        "rails/bin/rails": "",
        "rails/Gemfile": "",
        "rails/test/models/cart_test.rb": "",
        "ruby/Rakefile": "",
        "ruby/test/test_helper.rb": "",
        "ruby/test/test_cart.rb": "",
      }),
    ).toEqual([
      "go: go test . ./in",
      "java: mvn test -Dtest=ATest",
      ".: gradle :kotlin:test --tests BTest",
      ".: dotnet test --filter 'FullyQualifiedName~CartTests'",
      "pest: vendor/bin/pest tests/AddTest.php",
      "php: vendor/bin/phpunit tests/CartTest.php",
      "py: python -m pytest tests/test_a.py",
      "rails: bin/rails test test/models/cart_test.rb",
      "rspec: bundle exec rspec spec/cart_spec.rb",
      "ruby: ruby -Ilib:test -e 'ARGV.each { |path| load path }' test/test_cart.rb",
      "rust: cargo test --test it",
    ]);
  });

  it("are run with Dart or Flutter from their package, those on a device apart", async () => {
    expect(
      await commandsOf({
        "test/stray_test.dart": "",
        "dart/pubspec.yaml": "name: a\nenvironment:\n  sdk: ^3.0.0\n  flutter: '>=3'\n# sdk: flutter\n",
        "dart/test/a_test.dart": "",
        "dart/test/b c_test.dart": "",
        "app/pubspec.yaml": "name: b\ndependencies:\n  flutter:\n    sdk: flutter\n",
        "app/test/a_test.dart": "",
        "app/integration_test/app_test.dart": "",
        "kit/pubspec.yaml": "name: c\ndev_dependencies: { flutter_test: { sdk: 'flutter' } }\n",
        "kit/test/a_test.dart": "",
        ...Object.fromEntries(
          Array.from({ length: 31 }, (_, at) => [`all/integration_test/${at}_test.dart`, ""]),
        ),
        "all/pubspec.yaml": "name: d\n",
      }),
    ).toEqual([
      "all: dart test integration_test",
      "app: flutter test integration_test/app_test.dart",
      "app: flutter test test/a_test.dart",
      "dart: dart test test/a_test.dart 'test/b c_test.dart'",
      "kit: flutter test test/a_test.dart",
    ]);
  });

  it("are run with sbt and SwiftPM where a build file shows these", async () => {
    expect(
      await commandsOf({
        "sbt/build.sbt": "",
        "sbt/project/build.properties": "",
        "sbt/core/build.sbt": "",
        "sbt/core/src/test/scala/CartSpec.scala": "class CartSpec",
        "sbt/core/src/test/scala/ItemTest.scala": "class ItemTest",
        "sbt/core/src/test/java/LidTest.java": "class LidTest {}",
        "mill/src/test/scala/CartSpec.scala": "class CartSpec",
        "swift/Package.swift": "",
        "swift/Tests/ShopTests/CartTests.swift": "class CartTests {}",
        "swift/Tests/ShopTests/Cart+LidTests.swift": "",
        "xcode/AppTests/AppTests.swift": "class AppTests {}",
      }),
    ).toEqual([
      "sbt: sbt 'testOnly *LidTest *CartSpec *ItemTest'",
      "swift: swift test --filter Cart.LidTests --filter CartTests",
    ]);
  });

  it("are run from the project that lists a module of Maven, with what it needs, by its own wrapper", async () => {
    const list = "<project><modules><module>core</module></modules></project>";
    expect(
      await commandsOf({
        "shop/pom.xml": list,
        "shop/mvnw": "",
        "shop/src/test/java/TopTest.java": "class TopTest {}",
        "shop/core/pom.xml": list,
        "shop/core/src/test/java/CoreTest.java": "class CoreTest {}",
        "shop/core/in/pom.xml": "<project/>",
        "shop/core/in/src/test/java/InTest.java": "class InTest {}",
        "alone/pom.xml": "<project/>",
        "alone/mvnw": "",
        "alone/src/test/java/AloneTest.java": "class AloneTest {}",
      }),
    ).toEqual([
      "alone: ./mvnw test -Dtest=AloneTest",
      "shop: ./mvnw test -pl core/in,core,. -am -Dtest=InTest,CoreTest,TopTest -Dsurefire.failIfNoSpecifiedTests=false",
    ]);
  });

  it("are run by the package's test script if more than 30 would be named", async () => {
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`test/${index}.test.js`, ""]));
    const manifest = { "package.json": '{ "scripts": { "test": "jest" } }' };
    expect(await commandsOf({ ...manifest, ...many })).toEqual([".: npm test"]);
    const locked = { "yarn.lock": "x".repeat(2 << 20) };
    expect(await commandsOf({ ...manifest, ...locked, ...many })).toEqual([".: yarn test"]);
  });

  it("are named by their packages in Go, however many files these have", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [`in/${index}_test.go`, "package in"]),
    );
    expect(await commandsOf({ "go.mod": "module a", "a_test.go": "package a", ...many })).toEqual([
      ".: go test . ./in",
    ]);
  });

  it("are told without reading what a package says again for each of its tests", async () => {
    const directory = directoryWith({
      "package.json": JSON.stringify({ scripts: { test: "vitest run" } }),
      "pyproject.toml": "",
      ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`test/a${at}.test.ts`, ""])),
      ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`test/test_${at}.py`, ""])),
    });
    const repository = await openRepository(directory);
    const read: string[] = [];
    const text = (path: string) => {
      read.push(path);
      return repository.text(path);
    };
    const commands = testCommands({ ...repository, text }, [...repository.files.keys()]);
    expect(commands.map(({ command }) => command)).toEqual(["npm test", "python -m unittest"]);
    expect(read).toEqual([...new Set(read)]);
  });

  it("are quoted for the shell under any name, and never read as options", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((word) => !word.includes("\0")),
          { minLength: 1, maxLength: 8 },
        ),
        (words) => {
          const line = `printf '%s\\0' ${words.map(argumentWord).join(" ")}`;
          const said = execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(0, -1);
          expect(said).toEqual(words.map((word) => (word.startsWith("-") ? `./${word}` : word)));
        },
      ),
      { numRuns: 20 },
    );
  });
});
