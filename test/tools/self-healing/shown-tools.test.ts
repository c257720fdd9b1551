import { describe, expect, it } from "vitest";
import type { Ecosystem } from "../../../src/tools/self-healing/categories.ts";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { callsShownTools, isSameCommand } from "../../../src/tools/self-healing/suggestions/shown-tools.ts";

describe("a suggested command", () => {
  it.each([
    ["mvn -U verify", "Main.java:5: error: cannot find symbol", false],
    ["mvn -U verify", "[INFO] maven-compiler-plugin", true],
    ["npx eslint . --fix", "src/a.ts:1:1 error", false],
    ["npx eslint . --fix", "> eslint src", true],
    ["make -j1", "cmake --build build", false],
    ["df -h && du -xh | sort -rh", "", true],
    ["CI=1 cargo fmt && cargo clippy", "error: no Cargo.toml", true],
    ["bundle exec rspec a.rb", "rspec failed; see Gemfile, bundle", true],
    ["toString --all", "make", false],
    ["poetry run pytest", "poetry install", false],
  ])("%s calls only tools that %j shows: %s", (command, sample, shown) => {
    expect(callsShownTools(command, sample, "unknown")).toBe(shown);
  });

  it("may call programs that every machine has", () => {
    const any =
      "cat chmod command cut date df dmesg du echo env export find free getent grep head id ip ldconfig ls lsof rm sed sort ss tr ulimit update-ca-certificates";
    expect(any.split(" ").filter((program) => !callsShownTools(`${program} -x`, "", "unknown"))).toEqual([]);
    expect(callsShownTools("catalogue -x", "", "unknown")).toBe(false);
    expect(callsShownTools("concat -x", "", "unknown")).toBe(false);
  });

  it.each<[Ecosystem, string]>([
    ["node", "node npm"],
    ["python", "python python3 pip"],
    ["maven", "java javac"],
    ["go", "go gofmt"],
    ["rust", "cargo rustc rustup"],
    ["ruby", "bundle ruby gem"],
    ["php", "php composer"],
    ["swift", "swift xcode-select"],
    ["dart", "dart"],
    ["elixir", "mix"],
    ["docker", "docker"],
    ["kubernetes", "kubectl"],
    ["terraform", "terraform"],
    ["git", "git"],
  ])("may call programs that come with %s: %s", (ecosystem, programs) => {
    for (const program of programs.split(" ")) {
      expect([program, callsShownTools(`${program} -x`, "", ecosystem)]).toEqual([program, true]);
      expect([program, callsShownTools(`${program} -x`, "", "unknown")]).toEqual([program, false]);
      for (const other of [`x${program}`, `${program}x`]) {
        expect([other, callsShownTools(`${other} -x`, "", ecosystem)]).toEqual([other, false]);
      }
    }
  });

  it.each<[Ecosystem, string, string, string]>([
    ["docker", "docker build .", "STEP 1: podman build", "podman run docker"],
    ["terraform", "terraform init", "OpenTofu used the selected providers", "$ terraform plan, then tofu"],
    ["rust", "cargo check", "rustc main.rs", "rustc main.rs && cargo test"],
  ])("of %s does not call what another program stands for: %s", (ecosystem, command, instead, both) => {
    expect(callsShownTools(command, "", ecosystem)).toBe(true);
    expect(callsShownTools(command, instead, ecosystem)).toBe(false);
    expect(callsShownTools(command, both, ecosystem)).toBe(true);
  });

  it.each([
    ["cabal", "Error: cabal: it failed", "In order, the following will be built"],
    [
      "dotnet",
      "(3,5): error CS1 [/app/Shop.csproj]",
      "error NU1101: no package",
      "NETSDK1045: too old",
      "  Failed Shop.CartTest.Total [12 ms]",
      "Failed!  - Failed:     1",
    ],
    ["mvn", "./mvnw test", "pom.xml", "surefire", "see [Help 1]", "by Maven"],
    ["./gradlew", "Gradle 8"],
    ["vendor/bin/phpunit", "PHPUnit 11"],
    ["vendor/bin/php-cs-fixer", "php-cs-fixer 3", "PHP CS Fixer 3"],
    ["bin/rails", "rails t", "ActiveRecord::Error", "ActionController"],
    ["tsc", "run tsc", "TS2322: no"],
    ["make", "make: ***", "gmake[1]"],
    ["cmake", "cmake ..", "CMakeLists.txt", "in CMakeFiles"],
    ["ctest", "ctest -x", "by CTest", "50% tests passed"],
    ["apt-get", "apt install", "dpkg: error", "debian:12", "ubuntu-24"],
    ["apt-file", "apt-get install"],
    ["systemctl", "systemd[1]", "/var/run/docker.sock"],
    ["@eslint/migrate-config", "ESLint 9"],
    ["ssh", "ssh -x", "denied (publickey)", "git@host"],
    ["vendor/bin/pest", "pest 3"],
    ["golangci-lint", "golangci-lint run"],
  ])("may call %s if the log shows it in other words", (program, ...samples) => {
    for (const sample of samples)
      expect([sample, callsShownTools(`${program} -x`, sample, "unknown")]).toEqual([sample, true]);
    expect(callsShownTools(`${program} -x`, "it did not go well", "unknown")).toBe(false);
  });

  it.each([
    ["jest -x && vitest", "jest", false],
    ["jest -x && vitest", "jest vitest", true],
    ["jest | tee", "jest", false],
    ["jest || vitest", "vitest", false],
    ["jest ; vitest", "jest", false],
    ["NODE_ENV=test jest", "jest", true],
    ["npx jest", "npx", false],
    ["bunx jest", "jest", true],
    ["ls | xargs jest", "", false],
    ["export A=1", "", true],
    [". ./env", "", true],
    ["poetry run jest", "poetry jest", true],
    ["uv run jest", "uv", false],
    ["uv sync", "uv", true],
    ["npx", "npx", true],
    ["jest", "jest-cli ajest", false],
  ])("with lists, pipes or wrappers, %j, calls only tools that %j shows: %s", (command, sample, shown) => {
    expect(callsShownTools(command, sample, "unknown")).toBe(shown);
  });

  it("may call npm with Node and javac with Maven, but not mvn", () => {
    expect(callsShownTools("npm install a", "", "node")).toBe(true);
    expect(callsShownTools("npm install a", "", "python")).toBe(false);
    expect(callsShownTools("javac -version", "", "maven")).toBe(true);
    expect(callsShownTools("mvn -version", "", "maven")).toBe(false);
  });

  it.each([
    ["npm ci", " npm  ci"],
    ["npm run test", "npm test"],
    ["npm i", "npm install"],
    ["npx tsc --noEmit", "pnpm exec tsc --noEmit"],
    ["./gradlew build", "gradlew build"],
    ["yarn exec jest", "jest"],
    ["npm exec jest", "npx --yes jest"],
    ["npx -y jest", "bunx jest"],
    ["python -m pytest", "python3 -m pytest"],
    ["bundle exec rspec", "rspec"],
    ["npm add a", "npm install a"],
    ["yarn run lint", "yarn lint"],
    ["pnpm run lint", "pnpm lint"],
    ["npm t", "npm tst"],
    ["npm test ", "npm t"],
  ])("%j is the same as %j", (one, other) => expect(isSameCommand(one, other)).toBe(true));

  it.each([
    ["npm ci", "npm install"],
    ["npm test", "npm test -- a"],
    ["npm index", "npm installdex"],
    ["npm tx", "npm testx"],
    ["yarn runner", "yarn er"],
    ["make a", "make b"],
    ["../gradlew", "gradlew"],
  ])("%j is not the same as %j", (one, other) => expect(isSameCommand(one, other)).toBe(false));

  it("is never the command that just failed", () => {
    const log = "npm error `npm ci` can only install packages when your lock file is in sync\n";
    const commands = (command: string) =>
      diagnose({ log, command, exitCode: 1 }).suggestions.map((each) => each.command);
    expect(commands("npm ci")).toContain("npm install");
    expect(commands("npm i")).not.toContain("npm install");
  });
});
