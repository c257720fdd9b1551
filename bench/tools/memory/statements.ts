/** An earlier and a later statement, and a question that both answer. Only totals were looked at of those held back. */
export const CORRECTIONS: Record<
  "tuned" | "held back",
  [earlier: string, later: string, question: string][]
> = {
  tuned: [
    [
      "I live in Paris near the canal with two cats",
      "I live in Berlin near the canal with two cats",
      "where do I live",
    ],
    ["We deploy on Tuesdays.", "We deploy on Thursdays.", "on which day do we deploy"],
    [
      "We deploy to production on Tuesdays after the standup",
      "We now deploy to production on Fridays",
      "when do we deploy to production",
    ],
    ["The API listens on port 3000", "The API now listens on port 4000", "which port does the API listen on"],
    [
      "The API gateway listens on port 3000 in development",
      "The API gateway does not listen on port 3000 in development",
      "does the gateway listen on port 3000",
    ],
    [
      "The staging database is PostgreSQL 14 on db-1",
      "The staging database is PostgreSQL 16 on db-1",
      "version of the staging database",
    ],
    ["Ada owns the billing service", "Grace owns the billing service", "who owns billing"],
    [
      "Use npm for installing dependencies in this repository",
      "Use pnpm for installing dependencies in this repository",
      "how are dependencies installed",
    ],
    [
      "We use Jest for unit tests",
      "We switched from Jest to Vitest for unit tests",
      "what do we use for unit tests",
    ],
    [
      "Commits are squashed before merging",
      "Commits are no longer squashed before merging",
      "are commits squashed",
    ],
    ["My favourite editor is Vim", "My favourite editor is Helix now", "favourite editor"],
    [
      "The release branch is cut every second Monday",
      "The release branch is cut every first Wednesday",
      "when is the release branch cut",
    ],
    ["Max upload size is 10 MB", "Max upload size is 25 MB", "upload size"],
    ["The on-call engineer this month is Priya", "The on-call engineer this month is Tom", "who is on call"],
    ["Tests run with Node 18 in CI", "Tests run with Node 22 in CI", "which Node runs the tests"],
    [
      "The default branch is called master",
      "The default branch is now called main",
      "name of the default branch",
    ],
    ["I live in Paris", "I moved to Berlin", "where do I live"],
    [
      "Feature flags live in LaunchDarkly",
      "Feature flags live in Unleash since March",
      "where are feature flags",
    ],
    [
      "The timeout of the payment client is 30 seconds",
      "The timeout of the payment client was raised to 60 seconds",
      "payment timeout",
    ],
    ["Deploys are allowed on Fridays", "Deploys are not allowed on Fridays", "may we deploy on Fridays"],
  ],
  "held back": [
    [
      "The invoice worker runs every 15 minutes on the small node pool",
      "The invoice worker runs every 5 minutes on the small node pool",
      "how often does the invoice worker run",
    ],
    [
      "Our logs are kept for 30 days in the cold bucket",
      "Our logs are kept for 90 days in the cold bucket",
      "how long are logs kept",
    ],
    [
      "The mobile app supports iOS 15 and later",
      "The mobile app supports iOS 17 and later",
      "which iOS does the app support",
    ],
    [
      "Standup starts at 9:30 in the blue room",
      "Standup starts at 10:00 in the blue room",
      "when does standup start",
    ],
    ["Marta leads the platform team", "Jonas leads the platform team", "who leads the platform team"],
    [
      "The search index lives in Elasticsearch",
      "The search index moved from Elasticsearch to OpenSearch",
      "where is the search index",
    ],
    [
      "Pull requests need one approval before they are merged",
      "Pull requests need two approvals before they are merged",
      "approvals for a pull request",
    ],
    [
      "Secrets are stored in Vault under the team path",
      "Secrets are stored in Doppler under the team path",
      "where are secrets stored",
    ],
    [
      "The customer portal is written in Angular",
      "The customer portal is written in React",
      "what is the customer portal written in",
    ],
    [
      "Integration tests may call the sandbox of the bank",
      "Integration tests may never call the sandbox of the bank",
      "may tests call the sandbox",
    ],
    [
      "The production cluster is in eu-west-1",
      "The production cluster is in eu-central-1",
      "region of the production cluster",
    ],
    [
      "User prefers answers in English with short examples",
      "User prefers answers in German with short examples",
      "language of answers",
    ],
    [
      "The admin dashboard requires a VPN connection",
      "The admin dashboard no longer requires a VPN connection",
      "does the dashboard require VPN",
    ],
    [
      "Database backups run at 2 am UTC every night",
      "Database backups run at 4 am UTC every night",
      "when do backups run",
    ],
    [
      "We pay for the Team plan of the error tracker",
      "We now pay for the Business plan of the error tracker",
      "plan of the error tracker",
    ],
    [
      "The monorepo uses Lerna for releases",
      "The monorepo uses Changesets for releases",
      "what does the monorepo use for releases",
    ],
    ["My manager is Olivia", "My manager is Henrik", "who is my manager"],
    [
      "The rate limit of the public API is 100 requests a minute",
      "The rate limit of the public API is 250 requests a minute",
      "rate limit of the public API",
    ],
    [
      "Sessions expire after 24 hours of inactivity",
      "Sessions expire after 8 hours of inactivity",
      "when do sessions expire",
    ],
    [
      "The legacy importer is enabled for new tenants",
      "The legacy importer is disabled for new tenants",
      "is the legacy importer enabled",
    ],
  ],
};

/** A question, and the memory that answers it in other words. */
export const QUESTIONS: Record<"tuned" | "held back", [question: string, memory: string][]> = {
  tuned: [
    ["which package manager", "use pnpm, never npm"],
    ["what database do we have", "Orders live in PostgreSQL 16 with row locks"],
    ["when do we ship", "Releases go out on Thursday afternoon"],
    ["who is responsible for billing", "Grace owns the invoices and the billing service"],
    ["where is the service hosted", "Everything runs on AWS in Frankfurt"],
    ["which test framework should I use", "Write new specs with Vitest"],
    ["code style for indentation", "The user wants tabs, not spaces"],
    ["what editor does the user have", "Works in Neovim with LSP"],
    ["how do we do continuous integration", "GitHub Actions builds every push"],
    ["message broker between services", "Events travel through Kafka topics"],
    ["which monitoring do we look at", "Grafana dashboards show the queue"],
    ["chat for incidents", "Outages are announced in Slack"],
    ["which programming language for scripts", "Small tools are written in Python"],
    ["what handles authentication", "OAuth with short-lived JWT and refresh"],
    ["frontend framework", "Pages are made with Svelte"],
    ["infrastructure provisioning", "Terraform modules describe each account"],
    ["maximum size of files", "Uploads have a cap of 25 MB"],
    ["how do we combine pull requests", "Squash before it lands on main"],
    ["which license", "The code is under Apache 2.0"],
    ["where is documentation", "Guides belong into the wiki"],
  ],
  "held back": [
    ["what operating system do developers run", "Laptops come with Ubuntu 24.04"],
    ["which ORM", "Queries go through Drizzle"],
    ["what formatter is used", "Biome runs before each commit"],
    ["what backend framework", "Endpoints are Fastify plugins"],
    ["what tool bundles the app", "Vite produces the assets"],
    ["how are feature flags managed", "Toggles sit in Unleash"],
    ["which time zone for timestamps", "Write all times in UTC"],
    ["who approves schema changes", "Ada reviews migrations"],
    ["where do caches live", "Hot keys sit in Memcached"],
    ["how do we delete accounts", "Purge users after thirty days"],
    ["retention of logs", "Keep access records for ninety days"],
    ["credentials for production", "Tokens come from Vault at boot"],
    ["is downtime announced", "Tell everybody about an incident on the status page"],
    ["project configuration", "Settings are read from toolplane.json"],
    ["what version control", "Everything is in git with short-lived branches"],
    ["favourite colours of the interface", "The user likes the dark theme"],
    ["where are tickets tracked", "Work is planned in Linear"],
    ["budget for servers", "The cost must stay below 900 euros"],
    ["what cloud provider for static files", "Cloudflare serves the images"],
    ["automatic nightly jobs", "Cron calls the cleanup at 03:00"],
  ],
};
