import { describe, expect, it } from "vitest";
import { isOfOneself, replaces } from "../../../../src/tools/agent-memory/contradicting/contradiction.ts";
import { statementOf } from "../../../../src/tools/agent-memory/statement.ts";

const isReplaced = (earlier: string, later: string) => replaces(statementOf(later), statementOf(earlier));

/** Returns words that differ from those of calls with another beginning. */
function words(count: number, beginning: string): string {
  const letter = (index: number) => String.fromCharCode(97 + index);
  return Array.from({ length: count }, (_, at) => beginning + letter(at % 26) + letter(at % 5)).join(" ");
}

describe("replaces()", () => {
  it.each([
    ["of another value", "Backups run at night", "Backups run at noon"],
    ["of another value, said as a state", "The gateway is fast", "The gateway is slow"],
    ["of another value of two", "The gateway is written in Rust", "The gateway is written in Go"],
    ["that begins with what is to be done", "Use tabs for indentation", "Use spaces for indentation"],
    ["that something is on", "The flag for exports is off", "The flag for exports is on"],
    ["that it denies", "Backups run at night", "Backups do not run at night"],
    ["that denied it", "Backups do not run at night", "Backups run at night"],
    ["that it denies, whosever it is", "Our backups run at night", "Their backups do not run at night"],
    ["that held until now", "Backups run at night", "Backups no longer run at night"],
    [
      "of what can be said of many things, where it says itself that it changed",
      "Ann likes tea",
      "Ann now likes coffee",
    ],
    [
      "of which they share more than a third, where it says itself that it changed",
      "Backups run at night",
      "Backups now run while somebody sleeps",
    ],
    ["that forbade it", "Never deploy on Fridays", "Deploy on Fridays"],
    ["of another limit", "Keys must not be older than 30 days", "Keys must not be older than 60 days"],
    ["of another day", "The launch is planned for Monday", "The launch is planned for Tuesday"],
    ["of another number", "Tokens are valid for 30 days", "Tokens are valid for 60 days"],
    ["of a value and its number", "We deploy on Tuesday at 10:00", "We deploy on Thursday at 14:00"],
    ["of another choice", "Prefer tabs for indentation", "Prefer spaces for indentation"],
    ["of another number of what to keep", "Keep 5 backups", "Keep 10 backups"],
    ["of another way to do it", "Run the tests with npm", "Run the tests with make"],
    ["of another place, where it says itself that it changed", "We meet in Berlin", "We now meet in Munich"],
    [
      "of the same things in another order, which it ends",
      "Windows builds are supported",
      "We no longer support Windows builds",
    ],
    [
      "of the same things in another order, with another number",
      "The limit for uploads is 10 MB",
      "Uploads have a limit of 25 MB",
    ],
    ["of another number in words", "Lessons are on Tuesday at four", "Lessons are on Thursday at five"],
    ["of another who held an office", "Ada owns the billing service", "Grace owns the billing service"],
  ])("replaces an earlier statement %s: %j, %j", (_, earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(true);
  });

  it("replaces statements of up to 48 words only", () => {
    const port = (count: number, number: number) => `${words(count, "word")} port is ${number}`;
    expect(isReplaced(port(45, 1), port(45, 2))).toBe(true);
    expect(isReplaced(port(46, 1), port(46, 2))).toBe(false);
    expect(isReplaced(port(46, 1), port(45, 2))).toBe(false);
  });

  it("replaces a statement with up to six different words on either side", () => {
    const runs = (others: string) => `The service must run ${words(12, "common")} ${others}`;
    expect(isReplaced(runs(words(6, "left")), runs(words(6, "right")))).toBe(true);
    expect(isReplaced(runs(words(7, "left")), runs(words(6, "right")))).toBe(false);
    expect(isReplaced(runs(words(6, "left")), runs(words(7, "right")))).toBe(false);
  });
});

describe("replaces() for compatible statements", () => {
  it.each([
    ["they are the same", "The gateway is fast", "The gateway was fast"],
    ["one only adds to the other", "Backups run at night", "Backups run at night on the big host"],
    ["one only leaves out", "Backups run at night on the big host", "Backups run at night"],
    ["more can be true of one", "Ann likes tea", "Ann likes coffee"],
    ["they say different things of one", "The gateway is owned by Ada", "The gateway is written in Rust"],
    [
      "they are of different things",
      "The timeout of the gateway is 30 seconds",
      "The timeout of the ledger is 60 seconds",
    ],
    ["many may do it at a time", "Ada mentions the billing service", "Grace mentions the billing service"],
    ["another does a part of it", "Ada owns the billing service", "Grace owns the billing service in Berlin"],
    ["another does more than it", "Ada owns the billing service in Berlin", "Grace owns the billing service"],
    ["they are of different people", "We run backups at night", "They run backups at noon"],
    [
      "one denies another value",
      "The gateway listens on port 9090",
      "The gateway does not listen on port 8080",
    ],
    ["one denied another value", "We do not use tabs", "We use spaces"],
    ["one denies what has another number", "Node 18 is not supported", "Node 20 is supported"],
    [
      "one is on, and the other off in another place",
      "The flag is on in staging",
      "The flag is off in production",
    ],
    ["both forbid", "Never deploy on Fridays", "Never deploy on Sundays"],
    ["both forbid, in one place", "Never use var in TypeScript", "Never use any in TypeScript"],
    [
      "they are of different recipients",
      "Single sign-on is enabled for the acme tenant",
      "Single sign-on is enabled for the globex tenant",
    ],
    [
      "they are of different recipients, and say different things",
      "Single sign-on is enabled for acme",
      "Single sign-on is disabled for globex",
    ],
    [
      "they are of different places, and say different things",
      "The timeout is 30 seconds in production",
      "The timeout is 10 seconds in staging",
    ],
    [
      "they are of different purposes, even where one says that it changed",
      "We use Redis for caching",
      "We now use PostgreSQL for orders",
    ],
    [
      "they are of different places, even where one says that it changed",
      "The timeout is 30 seconds in production",
      "The timeout is now 10 seconds in staging",
    ],
    [
      "they are of different places, which prepositions of their own open",
      "We use Sentry for errors in the browser",
      "We use Datadog for errors on the server",
    ],
    [
      "they count different things",
      "Production has 6 replicas of the API",
      "Production has 3 replicas of the worker",
    ],
    [
      "they are of different destinations, and say different things",
      "Deploys to staging happen on every merge",
      "Deploys to production happen on Tuesdays",
    ],
    [
      "both ask for something",
      "Always run the linter before committing",
      "Always run the tests before committing",
    ],
    ["both ask for something of their own", "Keep functions under 40 lines", "Keep files under 300 lines"],
    [
      "both prefer something to something else",
      "Prefer interfaces over types",
      "Prefer functions over classes",
    ],
    [
      "something is on and something else off",
      "The flag new-checkout is on for everybody",
      "The flag dark-mode is off for everybody",
    ],
    [
      "both ask for something before a change",
      "Ask Maria before changing the pricing page",
      "Ask Tom before changing the Terraform state",
    ],
    [
      "they say different things of different days",
      "We deploy the API on Mondays",
      "We now deploy the website on Wednesdays",
    ],
    [
      "one is limited for others",
      "Messages shown to customers must be translated",
      "Messages shown to admins are currently English only",
    ],
    [
      "they are of the same things, but of numbered ones",
      "Build 12 failed on main",
      "On main, build 13 failed",
    ],
    [
      "they are of the same things, but of other units",
      "The limit for uploads is 10 MB",
      "Uploads have a limit of 25 files",
    ],
    [
      "they are of the same things and end one of them",
      "Windows builds are supported",
      "We no longer support ARM builds",
    ],
    ["they share too little", "Mondays we meet", "Tuesdays we swim"],
    ["they share less than half", "Backups run at night", "Backups run while nobody sleeps elsewhere"],
    [
      "they share a third, even where one says that it changed",
      "Backups run at night",
      "Backups now run while somebody sleeps elsewhere",
    ],
    ["they share only what says nothing", "It is in the house", "It is in the garden of them"],
    ["one says nothing", "The gateway is fast", "now currently"],
    ["the other says nothing", "now currently", "The gateway is fast"],
  ])("returns false if %s: %j, %j", (_, earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(false);
  });
});

it("isOfOneself() recognises statements in the first person", () => {
  const ofOneself = (text: string) => isOfOneself(statementOf(text));
  for (const text of ["I own a car", "it is my car", "the car is mine", "tell me", "did it myself"]) {
    expect([text, ofOneself(text)]).toEqual([text, true]);
  }
  for (const text of ["her car", "Mina owns a car"]) expect([text, ofOneself(text)]).toEqual([text, false]);
});
