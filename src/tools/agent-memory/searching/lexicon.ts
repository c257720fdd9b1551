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

/** Ways to say the same, or of what is said of the same matter. */
const SAME = `
deploy deployment release ship rollout roll-out publish go-live launch
bug defect fault error failure issue glitch breakage
exception error crash traceback stack-trace sentry
test testing spec suite check case
mock fake stub double fixture
fixture sample seed populate
speed latency slow fast performance quick long time hour minute
remove delete drop purge wipe clear erase truncate
survive keep retain persist remain wipe
start begin launch boot run
stop halt quit shutdown
responsible owner own maintain in-charge lead contact
contact call pager phone reach ask
on-call pager rotation outage incident
approve approval review reviewer sign-off
secret credential key token password vault
credential access-token token
authenticate authentication login sign-in session
config configuration setting option environment-variable
dependency package library module
repository repo monorepo codebase project
folder directory path
outage incident downtime crash
backup snapshot dump restore
limit cap quota maximum max throttle 429
rate throughput call request minute
lifetime expire expiry expiration ttl valid duration
retain retention keep store expire kept week day
minimum oldest least lowest support
customer client user tenant
prefer favourite favorite like style
verbose verbosity short concise brief long terse length
forbid ban avoid never disallow
schedule cron nightly weekly hourly job
indent indentation tab space whitespace
colour color theme dark light
ui interface look design button layout
merge squash rebase
trunk main master branch mainline
version release tag
document documentation docs readme wiki
docstring documentation comment jsdoc
method function routine procedure
ticket issue story task jira linear
salary pay wage
payment pay billing invoice charge checkout
stripe payment paypal braintree adyen
staging preview test-environment sandbox pre-production preproduction
prod production live
convention style guideline rule
type typing typed strict
container docker image
architecture arm64 amd64 x86 arm
server machine host instance node box
port listen
region zone datacenter europe
meeting standup sync retro
boss manager supervisor
money price cost budget billing pricing
mail email smtp newsletter
phone mobile ios android
cdn cloudflare fastly akamai static asset
static asset frontend file
search full-text index elasticsearch opensearch solr lucene
translate translation localise localize localisation localization i18n string
schema migration ddl alter table
crlf windows-line line-ending newline
memory ram heap oom
disk storage space full
log logging logger
format json csv xml yaml
child kid daughter son family
spouse wife husband partner
eat food meal diet meat vegetarian vegan allergic allergy lunch dinner
home live address city
job work employer company
birthday born age
holiday vacation leave trip
pet dog cat
sport run swim hike
export import module
api endpoint rest graphql grpc soap
toggle switch flag enable disable
unfinished experimental beta flag
weekend saturday sunday
night nightly evening
third-party vendor provider supplier
encrypt encryption cipher tls
permission role access right
cache cached caching
queue worker job background
retry backoff attempt
cause reason why because
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
