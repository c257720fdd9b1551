import { stemOf } from "../../../text/stems.ts";
import { STOP_WORDS } from "../../../text/stop-words.ts";

/** The developer's world: what people ask for by kind, and things of that kind. Phrases are hyphenated. */
const KINDS = `
package-manager dependency-manager: npm pnpm yarn bun pip poetry uv cargo maven gradle composer bundler nuget
language programming-language: typescript javascript python go golang rust java kotlin swift ruby php scala elixir
database db datastore: postgres postgresql mysql mariadb sqlite mongodb redis dynamodb cassandra cockroachdb
cache: redis memcached varnish
queue message-broker messaging: kafka rabbitmq sqs nats pubsub redis
test-framework test-runner testing-tool: jest vitest mocha pytest junit rspec playwright cypress
linter formatter code-style: eslint biome prettier ruff black flake8 rubocop clippy gofmt tab space indent semicolon
bundler build-tool: vite webpack rollup esbuild turbopack parcel gradle maven make bazel
frontend ui-framework frontend-framework: react vue svelte angular solid next nuxt
backend web-framework backend-framework: express fastify hono nestjs django flask fastapi rails spring laravel
cloud provider hosting host hosted: aws gcp azure heroku vercel netlify fly cloudflare hetzner digitalocean
infrastructure provisioning: terraform pulumi ansible cloudformation kubernetes helm docker
ci continuous-integration pipeline: jenkins circleci gitlab github actions buildkite travis
editor ide: vim neovim emacs vscode zed helix intellij webstorm pycharm
operating-system os: linux macos windows ubuntu debian fedora arch alpine
version-control vcs: git mercurial svn branch
monitoring observability alerting: grafana prometheus datadog sentry pagerduty opentelemetry newrelic
chat messenger: slack teams discord mattermost
day weekday: monday tuesday wednesday thursday friday saturday sunday
month: january february march april june july august september october november december
orm: prisma drizzle typeorm sequelize sqlalchemy hibernate activerecord
authentication login sign-in: oauth oidc saml jwt session sso password passkey
feature-flag: launchdarkly unleash flagsmith
time-zone timezone: utc cet est pst gmt berlin london
license licence: mit apache gpl bsd agpl
`;

/** Ways to say the same. */
const SAME = `
deploy release ship rollout roll-out publish go-live
bug defect fault error failure
test spec suite check
speed latency slow fast performance quick
remove delete drop purge
start begin launch boot
stop halt quit shutdown
responsible owner own maintain in-charge lead
approve review sign-off
secret credential key token password
config configuration setting option
dependency package library module
repository repo monorepo codebase
folder directory path
outage incident downtime crash
backup snapshot dump restore
limit cap quota maximum max
retain retention keep store expire
customer client user tenant
prefer favourite favorite like
forbid ban avoid never disallow
schedule cron nightly weekly
indent indentation tab space whitespace
colour color theme dark light
merge squash rebase
version release tag
document documentation docs readme wiki
ticket issue story task jira linear
salary pay wage
staging preview test-environment sandbox
prod production live
convention style guideline rule
type typing typed strict
container docker image
server machine host instance node
port listen
meeting standup sync retro
boss manager supervisor
money price cost budget billing
`;

const MAX_PHRASE = 2;

/** By a term or two of a query, together, what else is worth looking for. */
const related = new Map<string, Set<string>>();

function relate(name: string, terms: readonly string[]): void {
  const known = related.get(name) ?? new Set();
  for (const term of terms) if (term !== name && !term.includes(" ")) known.add(term);
  related.set(name, known);
}

function termsOf(list: string): string[] {
  return list.split(" ").map((phrase) => phrase.split("-").map(stemOf).join(" "));
}

for (const line of KINDS.trim().split("\n")) {
  const [names = "", things = ""] = line.split(": ");
  for (const name of termsOf(names)) relate(name, termsOf(things));
}
for (const line of SAME.trim().split("\n")) {
  const terms = termsOf(line);
  for (const term of terms) relate(term, terms);
}

export interface OtherWord {
  /** A stem. */
  name: string;
  /** The words of the query that it stands for, and how many these are. */
  askedBy: string;
  words: number;
}

/** What a query asks for in other words, those first that more of its words stand for. */
export function* inOtherWords(words: readonly string[]): Generator<OtherWord> {
  const said = words.filter((word) => !STOP_WORDS.has(word));
  for (let length = MAX_PHRASE; length > 0; length--) {
    for (let at = 0; at + length <= said.length; at++) {
      const phrase = said.slice(at, at + length);
      const askedBy = phrase.join(" ");
      for (const name of related.get(phrase.map(stemOf).join(" ")) ?? [])
        yield { name, askedBy, words: length };
    }
  }
}
