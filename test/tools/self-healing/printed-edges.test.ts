import { describe, expect, it } from "vitest";
import { printedRemedies } from "../../../src/tools/self-healing/suggestions/printed.ts";

const printed = (...lines: string[]) => printedRemedies((offset) => lines[offset]);
const commandOf = (...lines: string[]) =>
  printed(...lines).find(({ id }) => id === "printed-command")?.command;
const sentenceOf = (...lines: string[]) => printed(...lines).find(({ id }) => id === "printed-hint")?.title;

describe("a printed hint", () => {
  it.each([
    "Did you mean `tax`?",
    "did you forget a comma?",
    "Maybe you meant tax",
    "maybe you forgot a comma",
    "Try running it twice",
    "try adding a comma",
    "Try to add a comma",
    "try changing the name",
    "Please install the package",
    "please specify a name",
    "Please make sure it is there",
    "You need to add a comma",
    "you should add a comma",
    "You must add a comma",
    "you may need a comma",
    "You can fix it by hand",
    "Consider adding a comma",
    "consider renaming it",
    "Make sure it is there",
    "If you intended to, add a comma",
    "if you meant tax, say so",
    "Instead, add a comma",
    "Use `tax` for it",
    "Run `tax` for it",
  ])("is recognised: %s", (said) => {
    expect(sentenceOf("error", said)).toBe(`Do as the log itself says: ${said}`);
    expect(sentenceOf("error", `  it broke. ${said}`)).toBe(`Do as the log itself says: ${said}`);
  });

  it.each([
    "You did mean tax",
    "Tried running it",
    "Pleased to install it",
    "You considered it",
    "Reconsider it at once",
    "It may be used",
    "If you like it, say so",
    "Use tax for it",
    "Run tax for it",
    "Trying to add a comma",
  ])("is not recognised: %s", (said) => expect(sentenceOf("error", said)).toBeUndefined());

  it.each(["help", "hint", "fix", "tip", "suggestion", "solution", "possible solution", "Help", "hints"])(
    "is the text behind `%s:` below the cause",
    (word) => {
      expect(sentenceOf("error", `${word}: add a comma there`)).toBe(
        "Do as the log itself says: add a comma there",
      );
      expect(sentenceOf("error", `  = ${word}: add a comma there`)).toBe(
        "Do as the log itself says: add a comma there",
      );
      expect(sentenceOf(`${word}: add a comma there`)).toBeUndefined();
      expect(sentenceOf("error", `un${word.replace(" ", "")}: add a comma there`)).toBeUndefined();
    },
  );

  it("is neither the announcement of a command nor shorter than three words", () => {
    expect(sentenceOf("error", "help: no")).toBeUndefined();
    expect(sentenceOf("error", "help: add it so")).toBe("Do as the log itself says: add it so");
    expect(sentenceOf("error", "You can run the following:")).toBeUndefined();
    expect(sentenceOf("error", "You should use this command:")).toBeUndefined();
  });

  it("is the first one, without frame or prefix, and cut to 200 characters", () => {
    expect(sentenceOf("error", "help: add a comma there", "help: add a dot there")).toContain("comma");
    expect(sentenceOf("error", "│ You should add a comma │")).toBe(
      "Do as the log itself says: You should add a comma",
    );
    expect(sentenceOf("error", "npm ERR! You should add a comma")).toBe(
      "Do as the log itself says: You should add a comma",
    );
    expect(sentenceOf("error", "npm error You should add a comma")).toBe(
      "Do as the log itself says: You should add a comma",
    );
    expect(sentenceOf("error", "gyp ERR! You should add a comma")).toBe(
      "Do as the log itself says: You should add a comma",
    );
    const long = `You should ${"add ".repeat(100)}it`;
    expect(sentenceOf("error", long)).toHaveLength("Do as the log itself says: ".length + 200);
  });

  it("is found within forty lines of the cause", () => {
    const below = (count: number) => ["error", ...Array(count).fill("x"), "You should add a comma"];
    expect(sentenceOf(...below(39))).toBeDefined();
    expect(sentenceOf(...below(40))).toBeUndefined();
  });

  it.each([
    "for more information about it, you should ask",
    "You should see --explain E0505",
    "You can run it with --verbose",
    "You can run it with --stacktrace",
    "You should set RUST_BACKTRACE",
    "You should run npm audit",
    "You can use a new major version",
    "You can use a new version",
    "You need to override it, to override",
    "If you want, see the issue tracker",
    "You should open an issue",
    "You should report this",
    "[notice] You should upgrade",
    "A complete log is there; you should read it",
    "warn Unknown: you should remove it",
    "update available: you should install it",
  ])("is not taken from a generic notice: %s", (line) => expect(printed("error", line)).toEqual([]));
});

describe("a printed command", () => {
  it.each([
    [["no module; to add it:", "\tgo get a.test/b"], "go get a.test/b"],
    [["missing go.sum entry; to add:", "\tgo get a.test/b"], "go get a.test/b"],
    [["it is stale; run:", "  npm ci a"], "npm ci a"],
    [["it is stale; try the following:", "  npm ci a"], "npm ci a"],
    [["it is stale; run the following commands:", "  npm ci a"], "npm ci a"],
    [["fix it by running:", "$ npm ci a"], "npm ci a"],
    [["fix it with the following command:", "> npm ci a"], "npm ci a"],
    [["fix it using:", "", "  npm ci a"], "npm ci a"],
    [["fix it using:", "", "", "  npm ci a"], "npm ci a"],
    [["fix it using:", "", "", "", "  npm ci a"], undefined],
    [["please run: npm ci a"], "npm ci a"],
    [["you could try: cargo update -p b"], "cargo update -p b"],
    [["it ran:", "  npm ci a"], undefined],
    [["rerun:", "  npm ci a"], undefined],
    [["run:", "  ls a"], undefined],
    [["run:", "  npm"], undefined],
    [["run:", "  npm i a*"], undefined],
    [["run:", "  npm i <a>"], undefined],
    [["run:", "  npm i $a"], undefined],
  ])("of the lines %j is %s", (lines, command) => expect(commandOf("error", ...lines)).toBe(command));

  it.each(
    "npm npx yarn pnpm bun bunx deno corepack nvm pip pip3 python python3 uv poetry pipenv conda mypy ruff black isort cargo rustup go gofmt goimports golangci-lint bundle gem rails bin/rails rake composer php mix dotnet terraform tofu helm kubectl docker git sbt swift swiftlint pod flutter dart mvn ./mvnw gradle ./gradlew apt apt-get brew alembic ansible-galaxy cabal stack rubocop terragrunt".split(
      " ",
    ),
  )("may begin with %s", (program) => {
    expect(commandOf("error", "run:", `${program} fix it`)).toBe(`${program} fix it`);
    expect(commandOf("error", "run:", `x${program} fix it`)).toBeUndefined();
    expect(commandOf("error", "run:", `${program}q fix it`)).toBeUndefined();
  });

  it.each(["`", '"', "'"])("may be quoted with %s", (quote) => {
    expect(commandOf("error", `You should run ${quote}npm ci a${quote} now`)).toBe("npm ci a");
    expect(commandOf("error", `You should run ${quote}ls a${quote} or ${quote}git add b${quote}`)).toBe(
      "git add b",
    );
    expect(commandOf("error", `You should run ${quote}npm${quote}`)).toBeUndefined();
    expect(commandOf("error", `You should run ${quote}git add${quote}`)).toBeUndefined();
  });
});
