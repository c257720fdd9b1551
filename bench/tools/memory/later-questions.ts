/** Further questions, written before the search was last tuned, and the memories that answer them in other words. */
export const LATER_QUESTIONS: Record<"tuned" | "held back", [question: string, memory: string][]> = {
  tuned: [
    ["which package manager should I install dependencies with", "Use pnpm here, never npm or yarn"],
    [
      "when may I ship a release to customers",
      "Deploys to production happen on Tuesdays and Thursdays after the standup",
    ],
    [
      "does test data on the pre-production server survive the weekend",
      "The staging database is wiped every Sunday night at 2 am",
    ],
    [
      "who is responsible for payments code",
      "Maria owns the billing service; ask her before changing invoices",
    ],
    ["what timezone do we save dates in", "All timestamps are kept in UTC and shown in the visitor's zone"],
    ["what is our unit testing framework", "We chose Vitest over Jest because of native ESM"],
    ["what whitespace style does the code formatter expect", "Indent with tabs, not spaces"],
    ["what is the rate limit for requests", "The API answers 429 after 100 calls a minute"],
    ["where do we keep passwords and credentials", "Secrets live in HashiCorp Vault under kv/app"],
    [
      "why does the pipeline run out of memory",
      "The CI runner has only 4 GB of RAM, so builds run with --max-old-space-size=3072",
    ],
    [
      "which languages is the phone client built in",
      "The mobile app is written in Kotlin and Swift, no React Native",
    ],
    ["what format should logging output have", "Log lines are JSON with a trace_id field, collected by Loki"],
    [
      "how do I mock Stripe in specs",
      "Never call the payment provider from a unit test; use the fake in test/fakes",
    ],
    ["what is the snapshot retention", "Backups are taken hourly and kept for two weeks"],
    ["what food should be ordered for the user", "I am allergic to peanuts and do not eat meat"],
    ["which region hosts the full text index", "The search cluster runs OpenSearch 2.11 in eu-west-1"],
    ["do we still use graphql for the api style", "We dropped GraphQL in 2023 and went back to REST"],
    [
      "which cpu architectures do containers target",
      "Images are built with Docker buildx for arm64 and amd64",
    ],
    ["documentation rules for methods", "Public functions carry a docstring; private ones need none"],
    [
      "what is the lifetime of an access credential",
      "Tokens expire after 15 minutes and are refreshed silently",
    ],
    ["which CDN do we use for static assets", "The frontend is served from Cloudflare, cached for a day"],
    ["how slow is the pricing cron task", "The nightly job that recomputes prices takes about three hours"],
  ],
  "held back": [
    [
      "how should I call a new git branch",
      "Branch names start with the ticket number, like ENG-431-fix-login",
    ],
    ["how do we toggle unfinished functionality", "Feature flags come from LaunchDarkly"],
    ["how long until somebody has to sign in again", "Redis holds user sessions for 30 days"],
    ["how many reviewers does a change require", "Pull requests need two approvals before they are merged"],
    ["known bug with CRLF", "The legacy importer breaks on files with Windows line endings"],
    ["minimum database release", "Postgres 15 is the oldest version we support"],
    [
      "what does the UI look like, style preferences",
      "The design team prefers rounded buttons and the colour teal",
    ],
    ["where can I see exceptions from the browser", "Errors are reported to Sentry, project web-frontend"],
    ["how verbose should replies be", "The user wants short answers without bullet points"],
    [
      "how to populate my dev environment with fixtures",
      "Run make seed to fill the local database with sample accounts",
    ],
    ["which vendor delivers our mail", "Emails go out through Postmark; the sender is hello@example.com"],
    ["what do I rebase onto", "Our main branch is called trunk"],
    ["how do I alter the schema", "Migrations are written by hand as SQL files in db/changes"],
    ["what are the user's children called", "My daughter's name is Ida and she started school in August"],
    [
      "where do localised strings get changed",
      "Translations are managed in Crowdin, never edited in the repository",
    ],
    ["whom do I contact about an outage", "Jonas is on call this month, his pager is 4471"],
    ["code convention for exporting", "Avoid default exports in TypeScript modules"],
    [
      "the machine has no space left, what to do",
      "Disk on build-3 fills up every few weeks; delete /var/cache/layers",
    ],
  ],
};
