import { describe, expect, it } from "vitest";
import { replaces } from "../../../../src/tools/agent-memory/contradicting/contradiction.ts";
import { statementOf } from "../../../../src/tools/agent-memory/statement.ts";

const isReplaced = (earlier: string, later: string) => replaces(statementOf(later), statementOf(earlier));

describe("replaces() where a statement announces a change in other words", () => {
  it.each([
    ["We use MySQL 5 in production, on two hosts", "We moved from MySQL 5 to MySQL 8 last week"],
    ["Mails are sent through Mailgun because it is cheap", "We switched from Mailgun to Postmark for mails"],
    ["Search of the shop is done with Solr 8", "Solr was replaced by Typesense for search of the shop"],
    ["Background work runs on Celery", "Celery is gone: background work runs on Dramatiq"],
    ["The lead of the growth team is Ines Moreau", "Ines Moreau left; Tom Ito leads the growth team"],
    ["Write styles with Sass in the shop", "Stop using Sass; write styles of the shop as plain CSS"],
    ["Format the code with Prettier", "Format the code with Biome instead of Prettier"],
    [
      "Releases go out on Monday and Friday mornings, never at night",
      "We no longer release on Fridays; releases go out on Mondays",
    ],
    ["Traces are kept for 7 days in Tempo", "Traces are not kept for 7 days any more but for 14"],
    [
      "ApiClient of the worker has a default timeout of 5 seconds",
      "The default timeout of ApiClient was raised to 9 seconds",
    ],
    [
      "Changes need at least 80 % coverage to be merged",
      "The coverage that changes need was lowered to 70 %",
    ],
    ["The public API allows 100 requests a minute", "The public API allows 300 requests a minute"],
    ["Deploys happen on Tuesdays", "Deploys have been moved to Thursdays"],
    ["We deploy on Tuesdays", "Deploys were moved to Thursdays"],
    ["The standup is at 9:00", "The standup has been moved to 10:00"],
    ["The staging database is MySQL", "The staging database has been migrated to PostgreSQL"],
    ["The default branch is master", "The default branch has been renamed to main"],
    ["The API listens on port 3000", "The API has been moved to port 8080"],
    ["We use MySQL", "Since the migration we use PostgreSQL"],
    ["Backups run at night", "Since May backups run at noon"],
    [
      "Die Rechnungen werden am ersten Werktag verschickt",
      "Die Rechnungen werden jetzt am fünften Werktag verschickt",
    ],
  ])("replaces %j by %j", (earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(true);
  });

  it.each([
    [
      "it mentions the old value only by the way",
      "We store Auth0 tokens for 30 days",
      "We switched from Auth0 to Keycloak",
    ],
    [
      "it says something else of the old value",
      "We cache product pages in Redis",
      "We moved from Redis to Valkey",
    ],
    [
      "it is of another matter",
      "The search cluster runs on GKE",
      "We moved the payments cluster from GKE to EKS",
    ],
    ["it shares the old value alone", "Restart RabbitMQ with systemctl", "RabbitMQ is gone: jobs run on SQS"],
    [
      "the number is of another unit",
      "The client retries 5 times",
      "The timeout of the client was raised to 9 seconds",
    ],
    [
      "the limit is another",
      "The upload limit is 5 MB",
      "The download limit of the mirror was raised to 9 MB",
    ],
    ["a number names another thing", "Build 12 broke the login page", "Build 13 broke the login page"],
    ["numbers count other things", "The public API allows 100 requests", "The admin API allows 20 requests"],
    [
      "there are only days left",
      "The trial of the monitor is 30 days",
      "10 days left until the launch of the shop",
    ],
    [
      "the day is of something else that is said of it",
      "Deploys are reviewed by Ada on Tuesdays",
      "Deploys have been moved to Thursdays",
    ],
    ["the same moves to the same day", "Deploys happen on Thursdays", "Deploys have been moved to Thursdays"],
    ["since says from when on", "The build is slow since Tuesday", "The build fails since Tuesday"],
    [
      "since says from when on something else holds",
      "The gateway retries requests",
      "The gateway logs requests since the outage",
    ],
    [
      "something else was done with the same thing",
      "The gateway is written in Rust",
      "The gateway has been reviewed by Ada",
    ],
    ["since adds", "Ada works on billing", "Ada works on search since Tuesday as well"],
    [
      "it is for something else, since when ever",
      "We use Redis for caching",
      "Since the migration we use PostgreSQL for orders",
    ],
    ["somebody leaves something", "Ask Jonas for access to the vault", "Jonas left the standup early"],
    [
      "what is left out is something else",
      "Indent Go with tabs",
      "In YAML of the charts, spaces instead of tabs",
    ],
  ])("keeps the earlier statement in force where %s: %j, %j", (_, earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(false);
  });
});
