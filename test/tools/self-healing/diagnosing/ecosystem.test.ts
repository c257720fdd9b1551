import { describe, expect, it } from "vitest";
import type { Ecosystem } from "../../../../src/tools/self-healing/categories.ts";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

const of = (log: string, command?: string) =>
  diagnose({ log, exitCode: 1, ...(command && { command }) }).ecosystem;

const items = (text: string, separator: RegExp) => text.trim().split(separator);

describe("the ecosystem of a log", () => {
  it.each<[Ecosystem, string]>([
    [
      "node",
      "npm test; npx x; yarn; pnpm i; bun test; bunx x; node a; tsc; jest; vitest; eslint .; webpack; vite build; mocha; next build; turbo run; nx test; esbuild; rollup -c; prettier .; biome ci; deno test",
    ],
    [
      "python",
      "python a; python3.11 -m x; pip install x; pip3 check; pytest; poetry run x; uv sync; tox; nox; mypy .; ruff check; flake8; black .; conda env; pipenv x; twine upload",
    ],
    ["gradle", "gradle build; ./gradlew test; gradlew"],
    ["maven", "mvn test; ./mvnw verify; mvnw"],
    ["sbt", "sbt test"],
    ["rust", "cargo test; rustc a; rustup show; clippy"],
    [
      "go",
      "go build ./...; go test; go vet; go run .; go mod tidy; go install; go get x; golangci-lint run; gotestsum",
    ],
    ["dotnet", "dotnet test; MSBuild a; nuget restore"],
    ["ruby", "bundle exec x; bundler; rake; rspec; rails t; gem i; rubocop; ruby a"],
    ["php", "composer i; phpunit; php a; phpstan; ./artisan x; pest"],
    ["swift", "xcodebuild; swift test; swiftlint; pod install; fastlane"],
    ["dart", "flutter test; dart run"],
    ["elixir", "mix test; iex; elixir a"],
    ["haskell", "stack test; cabal build; ghc a"],
    ["kubernetes", "kubectl apply; helm lint; kustomize build"],
    ["terraform", "terraform plan; tofu plan; terragrunt apply"],
    ["docker", "docker build .; docker-compose up; podman build; buildah bud"],
    [
      "c",
      "make; cmake .; gcc a.c; g++ a; clang-15 a; cc a; ninja; meson test; bazel test; ./configure; ctest",
    ],
    ["git", "git push"],
    [
      "unknown",
      "javac A.java; /usr/bin/java -jar a.jar; ./build.sh; going; mixed; remake; digit push; nodes; gogo build; golang",
    ],
  ])("is %s by the command", (ecosystem, commands) => {
    const told = items(commands, /;\s*/).map((command) => [command, of("it did not go well", command)]);
    expect(told.filter(([, found]) => found !== ecosystem)).toEqual([]);
  });

  it.each<[Ecosystem, string]>([
    ["node", "js mjs cjs jsx ts tsx mts cts vue svelte css scss"],
    ["python", "py pyi"],
    ["maven", "java"],
    ["gradle", "kt kts gradle"],
    ["sbt", "scala sbt"],
    ["go", "go"],
    ["rust", "rs"],
    ["dotnet", "cs csproj fs vb"],
    ["ruby", "rb rake gemspec erb haml slim"],
    ["php", "php"],
    ["c", "c cc cpp cxx h hpp cu mk cmake"],
    ["swift", "swift m"],
    ["dart", "dart"],
    ["elixir", "ex exs"],
    ["haskell", "hs"],
    ["terraform", "tf"],
    ["shell", "sh bash"],
  ])("is %s by the extension of the file with the error", (ecosystem, extensions) => {
    const told = items(extensions, /\s/).map((extension) => [
      extension,
      of(`src/a.${extension}:12:5: error: wrong`),
    ]);
    expect(told.filter(([, found]) => found !== ecosystem)).toEqual([]);
    expect(of(`src/a.${extensions.split(" ")[0]?.toUpperCase()}:12:5: error: wrong`)).toBe(ecosystem);
    expect(of("src/a.constructor:12:5: error: wrong")).toBe("unknown");
  });

  it.each<[Ecosystem, string[]]>([
    [
      "gradle",
      [
        "> Task :app:test",
        "Gradle Daemon started",
        "BUILD SUCCESSFUL in 3s",

        "Gradle Wrapper 8",
        "Gradle build",
        "see build.gradle",
      ],
    ],
    [
      "maven",
      [
        "--- surefire:test",
        "Scanning for projects...",
        "maven-jar-plugin:3",
        "see pom.xml",
        "BUILD SUCCESS",
        "BUILD FAILURE",
      ],
    ],
    [
      "node",
      [
        " RUN  v3.1.2 /app",
        "Test Files  1 passed",
        "Test Suites: 1 passed",
        "src/a.mts:12",
        "npm notice x",
        "in node_modules",
        "the package.json",
        "yarn run v1",
        "Node.js v20.1.0",
        "> shop@1.2.3 test",
      ],
    ],
    ["python", ["in site-packages", "pytest began", "uses pip today", "ran a.py today"]],
    ["rust", ["at a.rs:1", "cargo began", "   Compiling shop v0.1.0"]],
    ["go", ["at a.go:1", "ok  \tshop\t0.1s", "go: downloading x v1"]],
    ["dotnet", ["the Shop.csproj", "MSBuild began", "dotnet began"]],
    ["ruby", ["the Gemfile", "rspec began", "at a.rb:1", "bundler began"]],
    ["php", ["the composer.lock", "the a.php there"]],
    ["c", ["gcc began", "g++ -c", "CMake began", "at a.cc:1", "make[1]: began", "make: began"]],
    ["git", ["Cloning into 'shop'...", "hint: try again", "remote: counting"]],
    ["unknown", ["it began", "the Task :x", "remake: began", "gogo", "cargoes", "a.pyx", "xpytest"]],
    [
      "unknown",
      [
        ...[
          "so > Task :x",
          "BUILD SUCCESSFUL",
          "buildxgradle",
          "a --- b:c",
          "a BUILD SUCCESS",
          "BUILD SUCCESS of it",
        ],
        ...[
          "pomxxml",
          "maven--plugin",
          "a RUN v3",
          "RUN vx",

          "a yarn run",
          "the npm notice",
        ],
        ...[
          "npm run",
          "Node.js vx",
          "> shop@1.2 test",
          "a > shop@1.2.3 test",
          "packagexjson",
          "a Traceback (most recent",
        ],
        ...[
          "pytests",
          "pips",
          "cargox",
          "a Compiling shop v0",
          "a.rs:x",
          "a.go:x",
          "a ok it",
          "okay it",
          "a.goes",
        ],
        ...[
          "dotnets",
          "rspecs",
          "bundlers",
          "Gem file",
          "a.phpx",
          "composer of it",
          "gccs",
          "cmakes",
          "a.cpp:x",
        ],
        ...["make began", "make[x]: began", "a hint: x", "hint of it", "remote: [1] x", "so Cloning into x"],
      ],
    ],
  ])("is %s by the lines around the failure", (ecosystem, lines) => {
    const told = lines.map((line) => [line, of(`${line}\nit did not go well`)]);
    expect(told.filter(([, found]) => found !== ecosystem)).toEqual([]);
  });

  it("is that of most lines around the failure or at the beginning of the log", () => {
    const filler = (count: number) => Array.from({ length: count }, () => "so it went on").join("\n");
    expect(of("gcc began\ncargo began\ncargo went on\nit did not go well")).toBe("rust");
    expect(of(`cargo began\n${filler(400)}\nit did not go well`)).toBe("rust");
    expect(of(`${filler(100)}\ncargo began\n${filler(400)}\nit did not go well`)).toBe("unknown");
    expect(of(`${filler(100)}\ncargo began\n${filler(120)}\nit did not go well`)).toBe("rust");
    expect(of("cargo began", "npm test")).toBe("node");
  });
});
