import { describe, expect, it } from "vitest";
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

  it("may call what comes with the ecosystem", () => {
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
  ])("%j is the same as %j", (one, other) => expect(isSameCommand(one, other)).toBe(true));

  it("is never the one that just failed", () => {
    const log = "npm error `npm ci` can only install packages when your lock file is in sync\n";
    const commands = (command: string) =>
      diagnose({ log, command, exitCode: 1 }).suggestions.map((each) => each.command);
    expect(commands("npm ci")).toContain("npm install");
    expect(commands("npm i")).not.toContain("npm install");
  });
});
