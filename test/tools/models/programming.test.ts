import { describe, expect, it } from "vitest";
import { isAboutPrograms } from "../../../src/tools/models/difficulty/programming.ts";

const words = (text: string) => text.trim().split(/\s+/);
const phrases = (text: string) => text.trim().split(/\s*;\s*/);
const missed = (prompts: readonly string[]) => prompts.filter((prompt) => !isAboutPrograms(prompt));
const taken = (prompts: readonly string[]) => prompts.filter(isAboutPrograms);

describe("isAboutPrograms()", () => {
  it("accepts a short instruction about each programming noun", () => {
    const things = words(`
      api app async auth authentication branch bug bugs build builds cache caches callback callbacks client code
      column columns command commit commits compiler component components config configs configuration constructor
      controllers dashboard database dependency dependencies deploy deployment environment exception exceptions
      file files fixture flaky form function functions handler handlers hook imports index indexes interface
      lexer library linter log logs logger logging login loop loops method methods migration mocks modal module mutex
      navbar package packages pagination parameter parser pipeline plugin production query queries queue repo
      repository request responses retry retries route router schema scripts sdk server service services session
      sidebar socket store stream structs suite test tests thread timeout token tokens url validation validator
      variable version worker wrapper`);
    expect(missed(things.map((thing) => `Improve the ${thing}`))).toEqual([]);
    expect(missed(["Remove the feature flag", "Remove the feature flags"])).toEqual([]);
    expect(taken(["Improve the tests of faith and hope and the whole of the human heart"])).toEqual([]);
    expect(missed(["Improve the tests of the oldest parser of faith and hope there is"])).toEqual([]);
    // Singular and plural of a word count as one.
    expect(taken(["Improve the test of tests, and what else there is of faith and hope"])).toEqual([]);
  });

  it("accepts a long prompt that names a technology or programming term", () => {
    const technologies = words(`
      ansible aws bash c++ css django docker dockerfile elasticsearch git github gitlab golang graphql java javascript
      jwt k8s kafka mongo mongodb next.js nextjs nginx node nodejs node.js npm oauth oauth2 pandas postgres postgresql
      python rails redis regex regexp s3 sql terraform typescript vite vitest vue webhook webhooks websocket websockets
      yaml zod refactor refactoring refactored middleware middlewares endpoint endpoints monorepo API CLI HTTP HTTPS
      CI CI/CD CORS CRUD latency Apache Expressjs Express.js Flask React Ruby Rust Swift Lambda`);
    const named = phrases(`
      stack trace; stacktraces; pull request; pull requests; unit tests; integration test; type errors; lint error;
      runtime error; memory leak; memory leaks; race condition; null pointer; null pointers; rate limit; rate limits;
      rate limiter; rate limiting; back end; backends; front end; frontends; code base; codebase; source code;
      cron job; cronjobs; cron jobs; unused import; unused imports; unused variable; unused variables; unused code;
      dark mode; memory usage; error handling; dependency injection`);
    const around = (thing: string) => `Change ${thing} so that all of us are happy for once and evermore`;
    expect(missed([...technologies, ...named].map(around))).toEqual([]);
    expect(taken(words("express ruby swift lambda flask rust helm").map(around))).toEqual([]);
  });

  it("accepts a prompt that names a function, file, option or identifier", () => {
    const around = (name: string) => `Change ${name} so that all of us are happy for once and evermore`;
    const names = words(`
      load() src/users.ts main.go a.js a.mjs a.cjs a.tsx app.py lib.rs x.rb A.java a.kt a.cs a.cpp a.c a.h a.php a.sql
      a.sh a.toml a.yml a.yaml a.json a.vue --dry-run --verbose loadUser loadUserName user_name max_retry_count
      TypeError MyException`);
    expect(missed(names.map(around))).toEqual([]);
    expect(taken(words("load (x) a.txt dry-run -- --1 Loader a_b Error").map(around))).toEqual([]);
  });

  it("accepts each instruction verb, after any greeting or polite opening", () => {
    const work = words(`
      add adapt allow avoid build bump cache change check clean configure containerize containerise convert debug
      delete deploy design disable document drop enable ensure explain expose extend fix handle implement improve
      inline install integrate introduce investigate lint log make merge migrate mock move optimize optimise parse pin
      port prevent profile publish rebase reduce remove rename replace resolve return revert review rewrite run setup
      ship simplify split stop support switch test throw trace type undo unify update upgrade use validate wire wrap
      write`);
    expect(missed([...work, "set up", "speed up"].map((verb) => `${verb} the server`))).toEqual([]);
    const openings = phrases(`
      Hi,; Hello; Hey; Ok,; Okay; So; Now; Then; Please; Kindly; Let's; Lets; Can you; Could you please; Would you;
      Will you; How do I; How can we; How should you; How would I; I want to; I'd like to; We would like you to;
      I need to; We have to; Help me; Help me to; Try to; Hi, can you please; Ok, now please; We'd like to`);
    expect(missed(openings.map((opening) => `${opening} change the server`))).toEqual([]);
    const talk = phrases(
      `I change the server; The change of the server; Changes of the server; Hichange the server`,
    );
    expect(taken(talk)).toEqual([]);
  });

  it("accepts a report of a failure, but no question like it", () => {
    const reports = phrases(`
      is slow; are slow; was gone; were gone; keep failing; keeps growing; get slower; gets slower; grow; grows; went
      down; fail; fails; failing; crash; crashes; crashed; hang; hangs; throw; throws; leak; leaks; times out; time out;
      logged out`);
    expect(missed(reports.map((report) => `The server ${report} for client 3`))).toEqual([]);
    expect(taken(["The server for client 3", "The failure of the server", "The server islands"])).toEqual([]);
    expect(
      taken(["What is the server of the client", "  which client is it", "The server is a client?"]),
    ).toEqual([]);
    expect(
      missed(["The server that is somewhat slow", "It is known who the server of the client is"]),
    ).toEqual([]);
  });

  it("accepts a question about each symptom of a failing program", () => {
    const symptoms = phrases(`
      is this slow; are these slower here; does it fail; did it failed here; am I failing here; was it crash; has this crashed;
      have it crashing; can't it run; cant it run; won't it work; doesn't it return; isn't it rendered here; isnt this null;
      is this broken; does this break; do these breaks here; is it thrown; does it throw; does it hang; is it hanging; does it
      leak; is it leaking; is it undefined; is this NaN; does it time out; is it timing out; does it compile; is it
      compiling; does it renders; is it rendering; is it wrong; is it flaky; is it running; is it working; is it
      returning; does it returns; does it loop; is it looping; does it load; is it loading; does it loads`);
    const why = symptoms.map((symptom) => `why ${symptom.replaceAll(/\s+/g, " ")}`);
    expect(missed(why)).toEqual([]);
    expect(missed(["what's wrong with this", "what is wrong in it", "what is wrong here"])).toEqual([]);
    const fails = words("compile build start run install parse typecheck").map(
      (verb) => `it doesn't ${verb}`,
    );
    expect(
      missed([...fails, "it does not run", "it doesnt run", "this won't start", "that fails to build"]),
    ).toEqual([]);
    expect(
      missed([
        "it fails to type check",
        "it won't type check",
        "why is the whole dreary server of ours so slow",
      ]),
    ).toEqual([]);
    // About nothing in a program, too many words apart, or in another sentence.
    expect(
      taken(["why is Ann slow", "why is this grand old river of ours so very slow", "why. slow this"]),
    ).toEqual([]);
    expect(taken([`why is ${"so ".repeat(60)} slow`, "why is this sad", "it does not sing"])).toEqual([]);
  });

  it("accepts a stack trace or error message anywhere in a prompt", () => {
    const traces = [
      "TypeError: x is not a function",
      "Error: no",
      "java.lang.NullPointerException\nException: no",
      "so\nTraceback (most recent call last)\nand so on",
      "it said\n    at load (src/users.ts:3:14)\nand more",
      "it said\n\tat src/users.ts:3\nand more",
      "panic: runtime error",
      "so\npanic: runtime error",
      "src/a.ts(3,4): error TS2322: no",
      "error[E0308]: mismatched types",
      "error[E12]",
      "and then a segmentation fault",
    ];
    expect(missed(traces)).toEqual([]);
    const prose = [
      "An Error: it was",
      "do not panic: it is well",
      "it said at home (3:14)",
      "  at home by ten",
      "at src/users.ts:3",
      "an error TSar",
      "error[Ex]",
      "They wrote Traceback (most recent call last)",
    ];
    expect(taken(prose)).toEqual([]);
  });

  it("rejects a request for prose, and judges a prompt by its beginning", () => {
    const prose = phrases(`
      article; biography; blog post; cover letter; essay; haiku; joke; letter; limerick; lyrics; novel; poem; recipe;
      song; speech; story; stories; tweet`);
    expect(taken(prose.map((kind) => `Write a ${kind} about Python and its parser`))).toEqual([]);
    const filler = "so it goes on and on. ".repeat(20);
    expect(taken([`${filler} Fix the server of the client`])).toEqual([]);
    expect(
      missed([`Fix the server of the client. ${filler} It is a letter.`, `   \n Fix the server`]),
    ).toEqual([]);
    expect(taken([`Fix the server ${filler}`])).toEqual([]);
  });
});
