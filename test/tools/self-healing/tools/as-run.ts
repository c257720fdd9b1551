import type { ToolFailure } from "../logs/tool-failures.ts";

/** What tools printed when they were run on small faults; only the folders are renamed. */
export const AS_RUN: readonly ToolFailure[] = [
  {
    name: "RSpec, the first of two examples",
    run: "bundle exec rspec",
    log: `.F.F

Failures:

  1) Cart adds up prices
     Failure/Error: expect(cart.total).to eq(30)

       expected: 30
            got: 20

       (compared using ==)
     # ./spec/cart_spec.rb:12:in \`block (2 levels) in <top (required)>'

  2) Cart empties itself
     Failure/Error: cart.empty!

     NoMethodError:
       undefined method \`empty!' for an instance of Cart
     # ./lib/cart.rb:8:in \`clear'
     # ./spec/cart_spec.rb:21:in \`block (2 levels) in <top (required)>'

4 examples, 2 failures

Failed examples:

rspec ./spec/cart_spec.rb:10 # Cart adds up prices
rspec ./spec/cart_spec.rb:19 # Cart empties itself
`,
    cause: "cart_spec.rb:10",
    category: "test_failure",
    ecosystem: "ruby",
    place: "./spec/cart_spec.rb:10",
    advice: /^bundle exec rspec \.\/spec\/cart_spec\.rb:10$/m,
    never: /: rspec \./,
  },
  {
    name: "Perl's Test::More",
    run: "perl t/cart.t",
    log: `1..2
not ok 1 - adds
#   Failed test 'adds'
#   at t/cart.t line 3.
#          got: '2'
#     expected: '3'
ok 2 - fine
# Looks like you failed 1 test of 2.
`,
    cause: "Failed test 'adds'",
    category: "test_failure",
    ecosystem: "unknown",
    place: "t/cart.t:3",
    advice: /expected with what comes out at t\/cart\.t:3/,
    never: /go test/,
  },
  {
    name: "Perl, a module that is not installed",
    run: "perl report.pl",
    log: `Can't locate Moo/Nope.pm in @INC (you may need to install the Moo::Nope module) (@INC contains: /etc/perl /usr/share/perl5 .) at report.pl line 2.
BEGIN failed--compilation aborted at report.pl line 2.
`,
    cause: "Can't locate Moo/Nope.pm",
    category: "dependency_resolution",
    place: "report.pl:2",
    advice: /itself says: you may need to install the Moo::Nope module$/m,
    never: /INC contains/,
  },
  {
    name: "cfn-lint, the first of four findings",
    run: "cfn-lint template.yaml",
    log: `E3002 Additional properties are not allowed ('BucketNam' was unexpected. Did you mean 'BucketName'?)
template.yaml:6:7

E3003 'Code' is a required property
template.yaml:9:5

E3003 'Role' is a required property
template.yaml:9:5

E3030 'nodejs99.x' is not one of ['nodejs22.x', 'nodejs24.x']
template.yaml:10:7
`,
    cause: "'BucketNam' was unexpected",
    category: "lint",
    place: "template.yaml:6",
    advice: /Did you mean 'BucketName'\?/,
  },
  {
    name: "Cargo, a path that is not there",
    run: "cargo build",
    log: `error: failed to get \`money\` as a dependency of package \`shop v0.1.0 (/app/shop)\`

Caused by:
  failed to load source for dependency \`money\`

Caused by:
  unable to update /app/money

Caused by:
  failed to read \`/app/money/Cargo.toml\`

Caused by:
  No such file or directory (os error 2)
`,
    cause: "failed to read `/app/money/Cargo.toml`",
    category: "dependency_resolution",
    ecosystem: "rust",
    place: "/app/money/Cargo.toml",
    advice: /path of the dependency/,
  },
  {
    name: "the AWS command line, without credentials",
    run: "aws s3 ls",
    log: 'Unable to locate credentials. You can configure credentials by running "aws configure".\n',
    cause: "Unable to locate credentials",
    category: "permission",
    advice: /itself says: You can configure credentials by running "aws configure"/,
  },
  {
    name: "Flask, two views of one name",
    run: "flask run",
    log: `Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/flask/cli.py", line 245, in locate_app
    __import__(module_name)
  File "/app/app.py", line 5, in <module>
    @app.route("/b")
     ^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/site-packages/flask/sansio/app.py", line 657, in add_url_rule
    raise AssertionError(
AssertionError: View function mapping is overwriting an existing endpoint function: show
`,
    cause: "overwriting an existing endpoint function: show",
    category: "configuration",
    ecosystem: "python",
    place: "/app/app.py:5",
    advice: /view .*show|show.* view/i,
    never: /expectation|test/i,
  },
];
