/** The developer's world: what people ask for by kind, and things of that kind. Phrases are hyphenated. */
export const KINDS = `
package-manager dependency-manager: npm pnpm yarn bun pip poetry uv cargo maven gradle composer bundler nuget pipenv conda mamba homebrew brew apt vcpkg conan
language programming-language: typescript javascript python go golang rust java kotlin swift ruby php scala elixir c cpp csharp dart haskell clojure lua perl zig ocaml erlang bash
database db datastore: postgres postgresql mysql mariadb sqlite mongodb redis dynamodb cassandra cockroachdb clickhouse snowflake bigquery firestore supabase neo4j mssql oracle duckdb planetscale neon timescale
cache: redis memcached varnish valkey cdn
queue message-broker messaging: kafka rabbitmq sqs nats pubsub redis activemq eventbridge celery bullmq sidekiq redpanda pulsar
test-framework test-runner testing-tool: jest vitest mocha pytest junit rspec playwright cypress ava jasmine phpunit xunit nunit testcontainers cucumber
linter formatter code-style: eslint biome prettier ruff black flake8 rubocop clippy gofmt tab space indent semicolon oxlint stylelint pylint checkstyle ktlint spotless
bundler build-tool: vite webpack rollup esbuild turbopack parcel gradle maven make bazel nx turborepo cmake ninja sbt swc rspack rolldown tsup
frontend ui-framework frontend-framework: react vue svelte angular solid next nuxt astro remix htmx qwik ember preact lit
backend web-framework backend-framework: express fastify hono nestjs django flask fastapi rails spring laravel symfony gin echo actix axum koa quarkus ktor phoenix aspnet
cloud provider hosting host hosted: aws gcp azure heroku vercel netlify fly cloudflare hetzner digitalocean linode render railway ovh
infrastructure provisioning: terraform pulumi ansible cloudformation kubernetes helm docker nomad ecs eks gke k3s chef puppet
ci continuous-integration pipeline: jenkins circleci gitlab github actions buildkite travis drone argo tekton teamcity
editor ide: vim neovim emacs vscode zed helix intellij webstorm pycharm sublime cursor rider eclipse goland
operating-system os: linux macos windows ubuntu debian fedora arch alpine
version-control vcs: git mercurial svn branch
monitoring observability alerting: grafana prometheus datadog sentry pagerduty opentelemetry newrelic honeycomb dynatrace zabbix nagios opsgenie
chat messenger: slack teams discord mattermost zulip telegram signal whatsapp
day weekday: monday tuesday wednesday thursday friday saturday sunday
month: january february march april june july august september october november december
orm: prisma drizzle typeorm sequelize sqlalchemy hibernate activerecord knex mikroorm ecto gorm doctrine eloquent mongoose
authentication login sign-in: oauth oidc saml jwt session sso password passkey keycloak auth0 okta cognito clerk ldap
feature-flag: launchdarkly unleash flagsmith
time-zone timezone: utc cet est pst gmt berlin london
license licence: mit apache gpl bsd agpl
browser-automation browser-test ui-test e2e end-end: playwright cypress selenium puppeteer webdriver testcafe webdriverio
load-test stress-test performance-test: k6 gatling jmeter locust artillery wrk
type-checker type-check: tsc mypy pyright flow sorbet
css styling stylesheet: tailwind sass bootstrap styled emotion bulma
component-library ui-kit ui-library: shadcn mui storybook chakra radix antd figma design system
state-management store: redux zustand mobx pinia vuex jotai
mobile-framework mobile-app phone-client app-framework: flutter react swiftui jetpack compose ionic expo xamarin kotlin swift
desktop-app desktop: electron tauri qt
data-access query-builder: prisma drizzle typeorm sequelize sqlalchemy hibernate knex orm
orchestration orchestrator scheduler: kubernetes nomad ecs swarm airflow temporal
secret-store secret-manager password-manager credential-store: vault 1password doppler bitwarden sops keychain
log logging: loki elasticsearch splunk cloudwatch kibana papertrail winston pino log4j
error-tracking exception-tracking crash-reporting error-reporting: sentry rollbar bugsnag honeybadger crashlytics
tracing distributed-tracing: opentelemetry jaeger zipkin tempo honeycomb
analytics product-analytics web-analytics: posthog mixpanel amplitude plausible matomo segment umami
payment payment-provider: stripe paypal adyen braintree klarna mollie paddle
email mail newsletter: sendgrid postmark mailgun ses resend mailchimp
sms text-message: twilio vonage
object-storage file-storage upload attachment: s3 gcs minio blob r2 bucket
hash hashing-algorithm: argon2id argon2 bcrypt scrypt pbkdf2 sha256 md5
serialization serialisation wire-format data-format: json protobuf avro msgpack thrift cbor
api-style api: rest graphql grpc soap trpc openapi
browser: chrome firefox safari edge webkit
phone device smartphone: iphone ipad android pixel
shell: bash zsh fish powershell
terminal: iterm alacritty kitty wezterm tmux ghostty
wiki documentation-tool knowledge-base: confluence notion docusaurus mkdocs gitbook
issue-tracker tracker project-management: jira linear trello asana github youtrack shortcut
versioning version-scheme: semver calver
pdf: puppeteer wkhtmltopdf latex weasyprint
template template-engine: jinja handlebars ejs mustache liquid
privacy data-protection gdpr compliance: eu gdpr consent hipaa residency europe
model llm ai assistant: claude gpt openai anthropic gemini llama mistral copilot
data-pipeline etl warehouse: airflow dbt snowflake bigquery redshift spark dagster
reverse-proxy load-balancer proxy: nginx haproxy traefik caddy envoy ingress
season quarter: spring summer autumn winter q1 q2 q3 q4
instrument: guitar piano violin drums bass flute
currency: euro dollar pound eur usd gbp cents
`;

/** Ways to say the same, or of what is said of the same matter. */
export const SAME = `
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
outage incident downtime crash uptime sla
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
ui interface design button layout appearance
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
meeting standup sync retro call
daily standup scrum
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
baby parental maternity paternity newborn pregnant birth child
holiday vacation leave trip
pet dog cat
sport running swim hike gym training
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
emoji smiley emoticon
commit git history message
message description title subject
page paged pager call duty shift rotation
wake woken night tonight pager call duty
mobile phone app smartphone handset
client app application program
framework library toolkit
built implemented made
print printed output log stdout console
next upcoming coming future
publish release ship version cut train cadence
every each weekly daily monthly recurring
privacy gdpr eu residency
inheritance subclass extend composition delegation oop
prefix naming name convention branch
name call called named codename title
hosting host hosted deploy deployed live
pull-request pr merge review squash rebase
install add dependency package installed
upgrade update bump migrate newer
compatible compatibility breaking backward
deprecated legacy old obsolete sunset
oldest minimum earliest lowest supported
timeout time-out deadline abort hang limit minute second
long duration timeout minute hour
colleague teammate coworker team
laptop computer machine notebook
coffee tea drink beverage
car drive vehicle bike commute
music band song play
movie film series watch
book read novel author
country nation city town from
school university college study degree
doctor hospital medical health ill sick
language speak german english french spanish italian
tone polite formal informal style
answer reply respond response explain
naming camelcase kebab snake identifier variable
coverage threshold percent tested
flaky intermittent unreliable unstable rerun
parallel concurrent concurrency thread simultaneous
lock mutex deadlock race
page pagination cursor offset
sort order rank
validate validation check schema zod
id identifier uuid ulid primary key
date timestamp time utc iso
round rounding cent decimal
soft delete deleted archive
webhook callback hook
notify notification alert inform
cors origin cross-origin
firewall vpn network subnet tunnel
dns domain hostname
certificate tls ssl https
scale autoscale replica horizontal capacity
probe liveness readiness health
rollback revert undo back
hotfix emergency urgent patch
freeze frozen lock stop
changelog history release note
accessibility a11y wcag aria screen-reader contrast
font typeface typography
image picture photo avatar logo icon
upload attach file
export download csv
import ingest load
report dashboard chart metric
goal objective okr target
complaint feedback support
sla agreement contract uptime
experiment variant ab-test
peak spike traffic load
benchmark profile measure
spec specification requirement
comment annotation note
reject rejected avoid against instead never
choose chosen pick decide decision settle
replace replaced switch migrate instead
remove removed drop dropped retire
allow allowed may permit can
require required must need mandatory
width column wrap length character
line length column wrap
quote single double string
semicolon terminator
null nil none undefined
async asynchronous await promise
global singleton static
abbreviation acronym shorten
owner codeowner maintainer responsible
interview hire candidate recruit
leave vacation absent away holiday
office remote home hybrid desk
newcomer onboarding new-hire
password passphrase hash hashed
login sign-in hash password
bill invoice pdf receipt
pay billing payment card
server log printed output
rate-limit throttle 429
spam abuse bot captcha
robot crawler bot scraper
map location geo coordinate
tax vat
discount coupon voucher
trial free plan tier
subscription plan tier billing
gpu cuda accelerator
offline airplane network connection
keyboard shortcut keybinding hotkey
sound audio volume mute
video stream recording
diff pull-request pr change patch commit
big large size small short lines
ssh root access shell remote host
debug debugging log trace investigate
investigate incident log trace postmortem
result hit search index
reindex index search rebuild
enable activate toggle flag feature
budget cost spend money limit
hurt injury pain doctor
party celebrate birthday anniversary
sleep night bed
early morning
late evening night
lunch noon midday
weather rain snow
sign signed signature certificate
size limit maximum megabyte gigabyte
sensor device firmware hardware chip board
firmware flash bootloader microcontroller embedded
battery power consumption charge
train training dataset model learning
dataset data corpus sample label
label annotate annotation tag
prediction inference model serve
accuracy precision recall metric score
screen page view layout
crash report stack trace
refresh reload update restart
slow lag delay latency
buy purchase order checkout cart
ship shipping delivery courier parcel
warehouse stock inventory
hotel flight travel trip
`;
