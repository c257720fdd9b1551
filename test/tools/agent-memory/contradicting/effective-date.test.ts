import { describe, expect, it } from "vitest";
import { replaces } from "../../../../src/tools/agent-memory/contradicting/contradiction.ts";
import { statementOf } from "../../../../src/tools/agent-memory/statement.ts";

const isReplaced = (earlier: string, later: string) => replaces(statementOf(later), statementOf(earlier));

const STANDUP = "Standup is at 9:30 Berlin time.";

describe("a statement with when it takes effect", () => {
  it.each([
    [STANDUP, "Starting Monday standup is at 10:00 Berlin time."],
    [STANDUP, "As of 1 December, standup is at 10:00 Berlin time."],
    [STANDUP, "Standup is at 10:00 Berlin time starting next week."],
    ["Releases are cut by Ada.", "From now on releases are cut by Chidi."],
    ["The retro is on Fridays.", "Since last week the retro is on Wednesdays."],
    ["Support answers within 8 hours.", "Effective January 1, support answers within 4 hours."],
    ["Backups run at 2 am.", "Beginning in March backups run at 4 am."],
    ["The rotation starts on Monday.", "Starting next month the rotation starts on Wednesday."],
    ["Starting Monday standup is at 10:00.", "Standup is at 11:00."],
    ["The freeze starts on Monday.", "The freeze starts on Friday."],
  ])("replaces what held before: %j, %j", (earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(true);
  });

  it.each([
    [STANDUP, "Starting Monday retro is at 10:00 Berlin time."],
    [STANDUP, "Starting Monday standup is at 9:30 Berlin time."],
    ["Ada is in Berlin.", "From Monday Mateus is in Lisbon."],
    ["The office is closed on Fridays.", "From December the gym is closed on Fridays."],
    ["Deploys run at night.", "From Monday to Friday deploys run at noon."],
    ["Ada works from home on Mondays.", "From 2 to 4 Ada works from the office."],
    ["The job starts at 3.", "Starting the job takes 30 seconds."],
    ["Ada is a lead.", "As an on-call engineer Ada is a reader of alerts."],
  ])("replaces nothing of another matter: %j, %j", (earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(false);
  });
});
