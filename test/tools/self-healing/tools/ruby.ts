import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures of Ruby and of what comes with it, as version 3.1 prints them. */
export const RUBY: readonly ToolFailure[] = [
  {
    name: "Ruby, a file that is missing",
    run: "ruby lib/shop.rb",
    log: `lib/shop.rb:1:in \`read': No such file or directory @ rb_sysopen - config/rates.txt (Errno::ENOENT)
	from lib/shop.rb:1:in \`<main>'
`,
    cause: "No such file or directory @ rb_sysopen",
    category: "missing_file",
    ecosystem: "ruby",
    place: "lib/shop.rb:1",
    advice: /^find \. -iname rates\.txt /m,
  },
  {
    name: "Ruby, a program that is missing",
    run: "ruby lib/shop.rb",
    log: "ruby: No such file or directory -- lib/shop.rb (LoadError)\n",
    cause: "No such file or directory -- lib/shop.rb",
    category: "missing_file",
    place: "lib/shop.rb",
    advice: /^find \. -iname shop\.rb /m,
  },
  {
    name: "Ruby, JSON that a library refuses",
    run: "ruby lib/shop.rb",
    log: `/usr/lib/ruby/3.1.0/json/common.rb:216:in \`parse': 859: unexpected token at '{a}' (JSON::ParserError)
	from /usr/lib/ruby/3.1.0/json/common.rb:216:in \`parse'
	from lib/shop.rb:2:in \`<main>'
`,
    cause: "unexpected token at '{a}'",
    category: "unknown",
    ecosystem: "ruby",
    place: "lib/shop.rb:2",
    advice: /Look at lib\/shop\.rb:2, .*: 859: unexpected token/,
  },
  {
    name: "Ruby, settings that a library refuses",
    run: "ruby lib/shop.rb",
    log: `/usr/lib/ruby/3.1.0/psych.rb:455:in \`parse': (config/shop.yml): mapping values are not allowed in this context at line 1 column 5 (Psych::SyntaxError)
	from /usr/lib/ruby/3.1.0/psych.rb:455:in \`parse_stream'
	from /usr/lib/ruby/3.1.0/psych.rb:670:in \`load_file'
	from lib/shop.rb:2:in \`<main>'
`,
    cause: "mapping values are not allowed",
    category: "configuration",
    ecosystem: "ruby",
    place: "config/shop.yml:1",
    advice: /YAML.*: mapping values/,
  },
  {
    name: "Ruby, a gem that is not there",
    run: "ruby lib/shop.rb",
    log: `<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require': cannot load such file -- nokogiri (LoadError)
	from <internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require'
	from lib/shop.rb:1:in \`<main>'
`,
    cause: "cannot load such file -- nokogiri",
    category: "dependency_resolution",
    ecosystem: "ruby",
    place: "lib/shop.rb:1",
    advice: /: cannot load such file -- nokogiri/,
  },
  {
    name: "Ruby, what refuses the connection",
    run: "ruby lib/shop.rb",
    log: `lib/shop.rb:2:in \`initialize': Connection refused - connect(2) for "127.0.0.1" port 5432 (Errno::ECONNREFUSED)
	from lib/shop.rb:2:in \`new'
	from lib/shop.rb:2:in \`<main>'
`,
    cause: "Connection refused",
    category: "network",
    ecosystem: "ruby",
    place: "lib/shop.rb:2",
    advice: /listens on port 5432 of 127\.0\.0\.1/,
  },
  {
    name: "Ruby 3.4, an exception in a method of a class",
    run: "ruby lib/shop.rb",
    log: `lib/cart.rb:7:in 'Cart#total': undefined method '*' for nil (NoMethodError)

  def total = items.sum * rate
                        ^
	from lib/shop.rb:3:in 'Object#main'
	from lib/shop.rb:5:in '<main>'
`,
    cause: "undefined method '*' for nil",
    category: "unknown",
    ecosystem: "ruby",
    place: "lib/cart.rb:7",
    advice: /Look at lib\/cart\.rb:7, .*: undefined method/,
  },
  {
    name: "Rake, a command that failed",
    run: "rake",
    log: `bin/compile --all
rake aborted!
Command failed with status (2): [bin/compile --all...]
/srv/shop/Rakefile:3:in \`block in <top (required)>'
Tasks: TOP => default => build
(See full trace by running task with --trace)
`,
    cause: "rake aborted!",
    category: "unknown",
    ecosystem: "ruby",
    place: "/srv/shop/Rakefile:3",
    advice: /bin\/compile --all/,
  },
  {
    name: "Rake, a task that raises",
    run: "rake rates",
    log: `rake aborted!
config/rates.yml lacks the key "eu"
/srv/shop/Rakefile:6:in \`block in <top (required)>'
Tasks: TOP => rates
(See full trace by running task with --trace)
`,
    cause: "rake aborted!",
    category: "unknown",
    ecosystem: "ruby",
    place: "/srv/shop/Rakefile:6",
    advice: /: config\/rates\.yml lacks the key/,
  },
  {
    name: "test-unit, an assertion",
    run: "ruby test/cart_test.rb",
    log: `Loaded suite test/cart_test
Started
F
===============================================================================
Failure: test_total(CartTest)
test/cart_test.rb:3:in \`test_total'
     1: require "test/unit"
     2: class CartTest < Test::Unit::TestCase
  => 3:   def test_total; assert_equal 2, 1 + 2; end
     4: end
<2> expected but was
<3>
===============================================================================

Finished in 0.005229205 seconds.
-------------------------------------------------------------------------------
1 tests, 1 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications
0% passed
-------------------------------------------------------------------------------
`,
    cause: "Failure: test_total(CartTest)",
    category: "test_failure",
    ecosystem: "ruby",
    place: "test/cart_test.rb:3",
    advice: /test_total/,
  },
];
