import { describe, expect, it } from "vitest";
import {
  type Advice,
  adviceFor,
  type Failure,
  titleOf,
} from "../../../src/tools/self-healing/suggestions/advise.ts";
import { isToolWord, toolsIn } from "../../../src/tools/self-healing/suggestions/package-managers.ts";
import { callsShownTools, isSameCommand } from "../../../src/tools/self-healing/suggestions/shown-tools.ts";

const failure = (more: Partial<Failure>): Failure => ({
  ...{ category: "unknown", ecosystem: "unknown", signature: "", values: {}, sample: "", printed: [] },
  ...more,
});
const printed = (command: string | undefined, id = `printed ${command}`): Advice => ({
  ...{ id, title: id, kind: "command", rationale: "The log says so." },
  ...(command !== undefined && { command }),
});

describe("advice", () => {
  it("begins with what the log itself suggests, each command once and none that was run", () => {
    const says = ["npm ci", "npm run build", "npm build", undefined, undefined].map((command, index) =>
      printed(command, `printed ${index}`),
    );
    const given = adviceFor(failure({ printed: says, command: "npm  ci" }));
    expect(given.slice(0, 3).map(({ id }) => id)).toEqual(["printed 1", "printed 3", "printed 4"]);
    expect(given.map(({ id }) => id)).not.toContain("printed 2");
  });

  it("suggests to retry an installation only if one was tried", () => {
    const given = (sample: string) =>
      adviceFor(failure({ category: "network", ecosystem: "python", sample })).map(({ id }) => id);
    expect(given("pip install flask")).toContain("python-retry-install");
    expect(given("urllib.error.URLError: Connection refused")).not.toContain("python-retry-install");
  });

  it("leaves out suggestions by category if there are two closer ones", () => {
    const kinds = {
      category: "test_failure",
      ecosystem: "node",
      values: { unplaced: "failed", message: "failed" },
    } as const;
    const loose = adviceFor(failure(kinds));
    expect(loose.length).toBeGreaterThan(0);
    expect(loose.length).toBeLessThanOrEqual(2);
    const two = [printed("one"), printed("two")];
    const firm = adviceFor(failure({ ...kinds, printed: two }));
    expect(firm.map(({ id }) => id)).toEqual(two.map(({ id }) => id));
    expect(adviceFor(failure({ ...kinds, printed: [printed("one")] }))).toHaveLength(2);
  });

  it.each([
    ["cabal run", "haskell", "cabal", true],
    [undefined, "haskell", "cabal", false],
    ["ghc -Wall Main.hs", "haskell", "cabal", false],
    ["stack build && stack test", "haskell", "cabal", false],
    ["dotnet test", "dotnet", "dotnet", true],
    [undefined, "dotnet", "dotnet", false],
    ["mcs -out:app.exe app.cs", "dotnet", "dotnet", false],
  ] as const)("after %s suggests what calls %s's %s: %s", (command, ecosystem, tool, does) => {
    const given = adviceFor(
      failure({ category: "compile_error", ecosystem, sample: command ?? "", ...(command && { command }) }),
    );
    expect(given.some((each) => each.command?.startsWith(`${tool} `))).toBe(does);
  });

  it("has a title without a log, with the placeholders in words", () => {
    expect(titleOf({ title: "Install {module} with {add}" })).toBe("Install the module with the add");
  });
});

describe("the commands of a package manager", () => {
  it.each([
    ["", "npm install", "npm ci", "npm run", "npx"],
    ["yarn test", "yarn add", "yarn install --immutable", "yarn", "yarn"],
    ["$ pnpm test", "pnpm add", "pnpm install --frozen-lockfile", "pnpm", "pnpm exec"],
    ["bun test", "bun add", "bun install --frozen-lockfile", "bun run", "bunx"],
    ["/usr/bin/bun: x", "bun add", "bun install --frozen-lockfile", "bun run", "bunx"],
    ["bundle install", "npm install", "npm ci", "npm run", "npx"],
  ])("for the log %j add packages with %s", (sample, add, ci, run, exec) => {
    expect(toolsIn(sample, "node")).toMatchObject({ add, ci, run, exec });
  });

  it("are known for Python, but not for Go", () => {
    expect(toolsIn("", "python")).toEqual({
      add: "pip install",
      install: "pip install -r requirements.txt",
      lock: "pip-compile requirements.in",
    });
    expect(toolsIn("poetry run x", "python")).toMatchObject({
      add: "poetry add",
      install: "poetry install",
      lock: "poetry lock",
    });
    expect(toolsIn("uv run x", "python")).toMatchObject({ add: "uv add", install: "uv sync" });
    expect(toolsIn("npm test", "go")).toEqual({});
  });

  it("include the test runner that the log shows", () => {
    expect(toolsIn("npx vitest run", "node").runner).toBe("vitest");
    expect(toolsIn("> jest", "node").runner).toBe("jest");
    expect(toolsIn("mocha", "node").runner).toBe("mocha");
    expect(toolsIn("jester", "node")).not.toHaveProperty("runner");
  });

  it("are recognised by isToolWord()", () => {
    for (const word of ["npm install", "yarn install --immutable", "bunx", "uv sync", "poetry lock"])
      expect([word, isToolWord(word)]).toEqual([word, true]);
    expect(isToolWord("rm -rf")).toBe(false);
  });
});

describe("a command", () => {
  it.each([
    ["bunx jest", "jest failed", true],
    ["bunx jest", "bun test", false],
    ["bunx", "bunx failed", true],
    ["npx", "npx failed", true],
    ["find . | xargs chmod +x", "", true],
    ["find . | xargs prettier", "", false],
    ["export A=1; ls", "", true],
    [". env.sh && ls", "", true],
    ["uv run pytest", "uv says: pytest failed", true],
    ["bundle install", "bundle failed", true],
    ["./gradlew build", "Gradle 8", true],
    ["vendor/bin/phpunit", "PHPUnit 10", true],
    ["bin/rails db:migrate", "ActiveRecord::PendingMigrationError", true],
    ["tsc -p .", "error TS2322: x", true],
    ["cmake -B build", "CMakeLists.txt:5", true],
    ["ctest", "50% tests passed", true],
    ["apt-get install a", "dpkg: error", true],
    ["systemctl start docker", "/var/run/docker.sock", true],
    ["ssh -T git@a", "Permission denied (publickey)", true],
    ["ssh -T git@a", "denied", false],
    ["./tool.sh", "tool-sh", false],
    ["mytool", "mytool: failed", true],
    ["mytool", "mytools: failed", false],
  ])("%s calls only tools that the log %j shows: %s", (command, sample, shown) => {
    expect(callsShownTools(command, sample, "unknown")).toBe(shown);
  });

  it.each([
    ["node", "node a.js"],
    ["python", "python3 a.py"],
    ["go", "gofmt -l ."],
    ["rust", "rustup update"],
    ["ruby", "gem install a"],
    ["php", "composer install"],
    ["swift", "swift build"],
    ["dart", "dart pub get"],
    ["elixir", "mix test"],
    ["docker", "docker build ."],
    ["kubernetes", "kubectl get pods"],
    ["terraform", "terraform init"],
    ["git", "git status"],
  ] as const)("with %s may call its tools without a log: %s", (ecosystem, command) => {
    expect(callsShownTools(command, "", ecosystem)).toBe(true);
    expect(callsShownTools(command, "", "unknown")).toBe(false);
  });

  it.each([
    ["npx --yes jest", "jest"],
    ["python3 -m pytest", "pytest"],
    ["bundle exec rspec", "rspec"],
    ["npm add", "npm i"],
    ["yarn run build", "yarn build"],
    ["npm t", "npm test"],
    ["npm tst", "npm test"],
  ])("%s is the same as %s", (one, other) => expect(isSameCommand(one, other)).toBe(true));

  it.each([
    ["npm install a", "npm install b"],
    ["npm ci", "npm install"],
    ["npm info", "npm install nfo"],
    ["xnpx jest", "jest"],
  ])("%s is not the same as %s", (one, other) => expect(isSameCommand(one, other)).toBe(false));
});
