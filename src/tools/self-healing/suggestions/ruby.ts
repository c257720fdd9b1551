import { command, configuration, edit, retry, within } from "./suggestion.ts";

export const ruby = within("ruby", [
  command(
    { categories: ["dependency_resolution"] },
    "ruby-bundle",
    "Install the bundle",
    "A gem of the lock file is not installed, or not for this platform.",
    "bundle install",
  ),
  command(
    { signatures: ["bundler-resolve"] },
    "ruby-update-gem",
    "Let Bundler choose the conflicting gem anew",
    "The lock file holds a version that another gem excludes.",
    "bundle update {package} --conservative",
  ),
  command(
    { signatures: ["bundler-frozen"] },
    "ruby-lock",
    "Write Gemfile.lock anew and commit it",
    "The Gemfile changed and the lock file did not; deployments refuse that.",
    "bundle lock",
  ),
  configuration(
    { categories: ["version_mismatch"] },
    "ruby-version",
    "Use the Ruby of .ruby-version",
    "The Gemfile pins a Ruby version.",
    "rbenv install -s && ruby -v",
  ),
  command(
    { signatures: ["gem-native"], categories: ["compile_error"] },
    "ruby-native",
    "Install compiler and headers",
    "The gem compiles native code against libraries of the system.",
    "apt-get update && apt-get install -y build-essential libpq-dev",
  ),
  command(
    { categories: ["test_failure"] },
    "ruby-run-test",
    "Run the failing example alone",
    "An example that fails alone is broken; one that passes alone depends on the order.",
    "bundle exec rspec {file}",
  ),
  command(
    { categories: ["test_failure", "flaky"] },
    "ruby-bisect",
    "Find the order that breaks it",
    "RSpec narrows down which examples must run before.",
    "bundle exec rspec --bisect",
  ),
  command(
    { categories: ["lint"] },
    "ruby-rubocop",
    "Let RuboCop correct what it can",
    "Safe corrections are applied in place.",
    "bundle exec rubocop -a",
  ),
  edit(
    { categories: ["configuration"] },
    "ruby-database",
    "Prepare the database and the environment",
    "A Rails task needs config/database.yml and its service.",
    "bin/rails db:prepare",
  ),
  retry(
    { categories: ["network"] },
    "ruby-retry",
    "Install again with more retries",
    "The gem server did not answer.",
    "bundle install --retry 5 --jobs 2",
  ),
]);
