import type { ToolFailure } from "../logs/tool-failures.ts";

/** More of what people paste: lists of which the first entry counts, and headings whose reason is below them. */
export const PASTED_LISTS: readonly ToolFailure[] = [
  {
    name: "Gradle, several artifacts that no repository has",
    run: "gradle assemble",
    log: `* What went wrong:
Execution failed for task ':app:checkAarMetadata'.
> Could not resolve all files for configuration ':app:debugRuntimeClasspath'.
   > Could not find com.acme:tax:2.0.1.
     Required by:
         project :app
   > Could not find com.acme:cart:2.7.0.
     Required by:
         project :app
`,
    cause: "Could not find com.acme:tax:2.0.1.",
    category: "dependency_resolution",
    ecosystem: "gradle",
    advice: /repository that has it/,
  },
  {
    name: "Gradle, a task whose reason is the innermost of what it lists",
    run: "gradle assemble",
    log: `* What went wrong:
Execution failed for task ':app:mergeResources'.
> A failure occurred while executing com.acme.ResourceRunnable
   > Resources are not merged (values of theme cart are twisted). Check logs for more details.

* Try:
> Run with --stacktrace option to get the stack trace.
> Get more help at https://help.gradle.org.
`,
    cause: "Resources are not merged (values of theme cart are twisted)",
    category: "unknown",
    ecosystem: "gradle",
    advice: /values of theme cart are twisted/,
  },
  {
    name: "Composer, several extensions that PHP lacks",
    run: "composer install",
    log: `Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - acme/shop v3.4.3 requires ext-mbstring * -> the requested PHP extension mbstring is missing from your system.
  Problem 2
    - zeta/tax 2.6.0 requires ext-xml * -> the requested PHP extension xml is missing from your system.
`,
    cause: "requires ext-mbstring",
    category: "dependency_resolution",
    ecosystem: "php",
    advice: /mbstring/,
  },
  {
    name: "the linker of Apple's, behind the marks of xcpretty",
    run: "fastlane test",
    log: `❌  ld: symbol(s) not found for architecture x86_64
❌  clang: error: linker command failed with exit code 1 (use -v to see invocation)
❌  Undefined symbols for architecture x86_64
`,
    cause: "Undefined symbols for architecture x86_64",
    category: "compile_error",
    advice: /ymbol/,
  },
  {
    name: "Swift's package manager, versions that do not agree",
    run: "swift build",
    log: "error: Dependencies could not be resolved because root depends on 'acme-tax' 1.4.0..<1.5.0 and 'acme-cart' depends on 'acme-tax' 1.0.1..<1.1.0.\n",
    cause: "Dependencies could not be resolved",
    category: "dependency_resolution",
    ecosystem: "swift",
    advice: /swift package/,
    never: /pod/,
  },
  {
    name: "Unreal, a compiler that is too old, behind the name of what it packs",
    run: "RunUAT.bat BuildCookRun",
    log: `UATHelper: Packaging (Windows): Total execution time: 0.87 seconds
UATHelper: Packaging (Windows): Microsoft platform targets must be compiled with Visual Studio 2022 17.4 or later for the installed engine. Please update Visual Studio 2022 and ensure no configuration is forcing another.
`,
    cause: "must be compiled with Visual Studio 2022 17.4",
    category: "version_mismatch",
    advice: /Please update Visual Studio 2022/,
  },
  {
    name: "BuildKit, a folder of the context that it names where it is mounted",
    run: "docker build .",
    log: "error: failed to solve: failed to compute cache key: failed to walk /var/lib/docker/tmp/buildkit-mount592/base: lstat /var/lib/docker/tmp/buildkit-mount592/base: no such file or directory\n",
    cause: "no such file or directory",
    category: "missing_file",
    ecosystem: "docker",
    place: "base",
    advice: /Make base/,
    never: /var\/lib\/docker/,
  },
  {
    name: "Helm, an object that another made",
    run: "helm upgrade shop ./chart --install",
    log: `Error: UPGRADE FAILED: rendered manifests contain a resource that already exists. Unable to continue with update: Deployment "shop" in namespace "dev" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"
`,
    cause: "contain a resource that already exists",
    category: "configuration",
    ecosystem: "kubernetes",
    advice: /app\.kubernetes\.io\/managed-by=Helm/,
  },
  {
    name: "Pulumi, a setting of its provider, below a count of errors",
    run: "pulumi up",
    log: `error: failed to load resource plugin aws: failed to configure pkg 'aws' resource provider: could not validate provider configuration: 1 error(s) occurred:

* "region": required field is not set
`,
    cause: '"region": required field is not set',
    category: "configuration",
    advice: /"region": required field is not set/,
  },
  {
    name: "CDK, a stack that was never made and cannot be changed",
    run: "npx cdk deploy",
    log: ` ❌  Deployment of stack shop failed: ValidationError: Stack:arn:aws:cloudformation:eu-west-1:1:stack/shop/0a1b is in ROLLBACK_COMPLETE state and can not be updated.
`,
    cause: "ROLLBACK_COMPLETE state and can not be updated",
    category: "infrastructure",
    advice: /aws cloudformation delete-stack/,
  },
  {
    name: "CloudFormation, the resource for which a stack is rolled back",
    run: "npx cdk bootstrap",
    log: `4:17:43 PM | CREATE_FAILED        | AWS::S3::Bucket       | StagingBucket
acme-assets already exists

 ❌  Environment aws://1/eu-west-1 failed bootstrapping: Error: The stack named CDKToolkit failed creation, it may need to be manually deleted from the AWS console: ROLLBACK_COMPLETE
`,
    cause: "CREATE_FAILED",
    category: "infrastructure",
    advice: /StagingBucket/,
  },
  {
    name: "Bazel, a package without a BUILD file, and what it is not built for",
    run: "bazel test //...",
    log: `ERROR: /srv/shop/cart/BUILD.bazel:6:1: no such package 'lib': BUILD file not found in any of the following directories. Add a BUILD file to a directory to mark it as a package.
 - /srv/shop/lib and referenced by '//cart:cart_test'
ERROR: Analysis of target '//cart:cart_test' failed; build aborted: no such package 'lib': BUILD file not found in any of the following directories.
FAILED: Build did NOT complete successfully (33 packages loaded, 78 targets configured)
`,
    cause: "/srv/shop/cart/BUILD.bazel:6:1: no such package 'lib'",
    category: "dependency_resolution",
    place: "/srv/shop/cart/BUILD.bazel:6",
    advice: /BUILD\.bazel:6|no such package 'lib'/,
  },
  {
    name: "opam, the reason in the report of a package that was not built",
    run: "opam install shop",
    log: `[ERROR] The compilation of shop.1.3.3 failed at "dune install -p shop".

#=== ERROR while compiling shop.1.3.3 =========================================#
# context     2.1.2 | linux/x86_64
# exit-code   1
### output ###
# /usr/bin/opam var prefix > /opam-tmp/dune_0a1b_output
# [ERROR] /srv/ada/.opam exists, but does not appear to be a valid opam root. Please remove it and use \`opam init', or specify a different \`--root' argument
`,
    cause: "does not appear to be a valid opam root",
    category: "unknown",
    advice: /opam init/,
  },
  {
    name: "Poetry, what its solver says, between its own frames",
    run: "poetry lock",
    log: `        74│             end = time.time()

  SolverProblemError

  Because shop depends on acme-tax (0.3.0) which doesn't match any versions, version solving failed.

  at ~/.poetry/lib/poetry/puzzle/solver.py:241 in _solve
      237│             packages = result.packages
    → 241│             raise SolverProblemError(e)
      242│
`,
    cause: "Because shop depends on acme-tax (0.3.0)",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /acme-tax/,
  },
  {
    name: "a gem that needs the headers of Ruby",
    run: "bundle install",
    log: `Gem::Ext::BuildError: ERROR: Failed to build gem native extension.

        /usr/bin/ruby extconf.rb
/usr/lib/ruby/custom_require.rb:36:in \`require': cannot load such file -- mkmf (LoadError)
    from extconf.rb:5:in \`<main>'

An error occurred while installing acme-tax (1.6.1), and Bundler cannot continue.
`,
    cause: "cannot load such file -- mkmf",
    category: "dependency_resolution",
    ecosystem: "ruby",
    advice: /ruby-dev/,
    never: /extconf\.rb:5|gem install mkmf/,
  },
  {
    name: "Zig, what a build script asks of the standard library",
    run: "zig build",
    log: `C:\\tools\\zig-windows-x86_64-0.11.0\\lib\\std\\build.zig:540:29: error: expected type 'bool', found 'u8'
            .enum_options = options,
                            ^~~~~~~
referenced by:
    build: C:\\shop\\build.zig:27:10
    remaining reference traces hidden; use '-freference-trace' to see all reference traces
`,
    cause: "expected type 'bool', found 'u8'",
    category: "type_error",
    place: "C:\\shop\\build.zig:27",
    advice: /shop\\build\.zig:27/,
    never: /freference-trace/,
  },
  {
    name: "Nx, a target that a project does not have",
    run: "npx nx run-many -t ship",
    log: ` >  NX   Ran target ship for 3 projects (3ms)

    ✖    0/0 targets failed, including the following:

 >  NX   Cannot find configuration for task cart:ship

   Pass --verbose to see the stacktrace.
`,
    cause: "Cannot find configuration for task cart:ship",
    category: "configuration",
    ecosystem: "node",
    advice: /cart:ship/,
  },
  {
    name: "Turborepo, a task that nothing has",
    run: "npx turbo run ship",
    log: ` ERROR  run failed: error preparing engine: Could not find the following tasks in project: ship
Turbo error: error preparing engine: Could not find the following tasks in project: ship
`,
    cause: "Could not find the following tasks in project: ship",
    category: "configuration",
    ecosystem: "node",
    advice: /turbo\.json/,
  },
  {
    name: "pre-commit, an environment that it cannot make",
    run: "git commit -m x",
    log: `[INFO] Installing environment for https://git.acme.test/hooks.
[INFO] This may take a few minutes...
An unexpected error has occurred: CalledProcessError: Command: ('/srv/ada/.cache/pre-commit/repo0a1b/py_env/bin/python', '-m', 'pip', 'install', '.')
Return code: -11
Expected return code: 0
Output: (none)
Errors: (none)

Check the log at /srv/ada/.cache/pre-commit/pre-commit.log
`,
    cause: "An unexpected error has occurred: CalledProcessError",
    category: "unknown",
    advice: /pre-commit clean/,
  },
  {
    name: "Bun, packages that the registry does not give",
    run: "bun install",
    log: `bun install v1.0.6 (0a1b2c3d)
error: @acme/tax@^1.0.0 failed to resolve
error: @acme/cart@^1.0.1 failed to resolve
`,
    cause: "@acme/tax@^1.0.0 failed to resolve",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /@acme\/tax/,
  },
  {
    name: "Bun, a repository that it may not read",
    run: "bun install",
    log: `error: GET https://api.git.acme.test/repos/acme/tax/tarball/ - 401
error: acme-tax@https://git.acme.test/acme/tax failed to resolve
`,
    cause: "GET https://api.git.acme.test/repos/acme/tax/tarball/ - 401",
    category: "permission",
    advice: /token/,
  },
  {
    name: "PostgreSQL, which has no connection left",
    run: "python shop.py",
    log: `  File "/srv/venv/lib/python3.11/site-packages/psycopg2/__init__.py", line 127, in connect
    conn = _connect(dsn, connection_factory=connection_factory, **kwasync)
psycopg2.OperationalError: FATAL:  remaining connection slots are reserved for non-replication superuser connections
`,
    cause: "remaining connection slots are reserved",
    category: "infrastructure",
    advice: /max_connections/,
  },
  {
    name: "conda, packages that no channel has",
    run: "conda env create -f environment.yml",
    log: `ResolvePackageNotFound:
  - libacme==4.0.10=h648cc4a_1001
  - acmetax==0.3.6=h6e990d7_1
`,
    cause: "ResolvePackageNotFound",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /libacme/,
  },
  {
    name: "Kotlin of older versions, which puts places in parentheses",
    run: "gradle assemble",
    log: `e: /srv/shop/src/main/kotlin/Cart.kt: (51, 62): Unresolved reference: tax
e: /srv/shop/src/main/kotlin/Cart.kt: (52, 60): Unresolved reference: rate

FAILURE: Build failed with an exception.
`,
    cause: "(51, 62): Unresolved reference: tax",
    category: "compile_error",
    ecosystem: "gradle",
    place: "/srv/shop/src/main/kotlin/Cart.kt:51",
    advice: /Cart\.kt:51/,
  },
  {
    name: "GitLab, a shell that ends before the job begins",
    run: "gitlab-runner exec shell build",
    log: `Preparing environment
ERROR: Job failed: prepare environment: exit code 255. Check https://docs.gitlab.com/runner/shells/index.html#shell-profile-loading for more information
`,
    cause: "prepare environment: exit code 255",
    category: "infrastructure",
    ecosystem: "ci",
    advice: /\.bash_logout/,
  },
  {
    name: "Hex, which was compiled for another Erlang",
    run: "mix deps.get",
    log: `02:21:04.071 [error] beam\\beam_load.c(551): Error loading function 'Elixir.Hex.Version':'start'/0: op put_tuple u x:
  please re-compile this module with an Erlang/OTP 25 compiler

Could not start Hex. Try fetching a new version with "mix local.hex" or uninstalling it with "mix archive.uninstall hex.ez"
`,
    cause: "please re-compile this module with an Erlang/OTP 25 compiler",
    category: "version_mismatch",
    ecosystem: "elixir",
    advice: /mix local\.hex/,
    never: /beam_load/,
  },
  {
    name: "webpack, a polyfill that it no longer brings, above how to add it",
    run: "npx webpack",
    log: `ERROR in ./src/config.ts 26:26-41
Module not found: Error: Can't resolve 'path' in '/srv/shop/src'

BREAKING CHANGE: webpack < 5 used to include polyfills for node.js core modules by default.

If you want to include a polyfill, you need to:
	- add a fallback 'resolve.fallback: { "path": require.resolve("path-browserify") }'
	- install 'path-browserify'
`,
    cause: "Can't resolve 'path'",
    category: "configuration",
    ecosystem: "node",
    place: "./src/config.ts:26",
    advice: /you need to: add a fallback 'resolve\.fallback/,
  },
  {
    name: "Gradle, a task whose innermost reason has only words of failure",
    run: "gradle assemble",
    log: `* What went wrong:
Execution failed for task ':app:mergeResources'.
> A failure occurred while executing com.acme.ResourceRunnable
   > Resource compilation failed (values of theme cart: java.nio.file.InvalidPathException: Illegal char). Check logs.

* Try:
> Run with --stacktrace option to get the stack trace.
`,
    cause: "Resource compilation failed (values of theme cart",
    category: "unknown",
    ecosystem: "gradle",
    advice: /values of theme cart/,
  },
  {
    name: "Apple's linker, which names the symbol below its heading",
    run: "xcodebuild build",
    log: `Undefined symbols for architecture arm64:
  "_shop_tax", referenced from:
      _main in main.o
ld: symbol(s) not found for architecture arm64
clang: error: linker command failed with exit code 1 (use -v to see invocation)
`,
    cause: "Undefined symbols for architecture arm64",
    category: "compile_error",
    advice: /_shop_tax/,
    never: /-v to see/,
  },
  {
    name: "opam, a package whose linker failed",
    run: "opam install tax",
    log: `[ERROR] The compilation of tax failed at "./boot.exe --release".

#=== ERROR while installing tax.1.1.1 =========================================#
# opam-version 1.2.2
# exit-code    1
### stderr ###
# [...]
# Error: Error during linking
# -> required by src/flags/mk.exe
# -> required by src/flags/flags.sexp
`,
    cause: "Error during linking",
    category: "compile_error",
    advice: /linking/,
  },
  {
    name: "Cabal, of what its solver rejects, the first",
    run: "cabal build",
    log: `Error: cabal: Could not resolve dependencies:
[__0] trying: shop-0.1.0.0 (user goal)
[__1] rejecting: base-4.17.2.0/installed-4.17.2.0 (conflict: shop => base^>=4.16.4.0)
[__1] rejecting: base-4.16.4.0, base-4.16.3.0 (constraint from non-upgradeable package requires installed instance)
[__1] fail (backjumping, conflict set: base, shop)
`,
    cause: "rejecting: base-4.17.2.0/installed",
    category: "dependency_resolution",
    ecosystem: "haskell",
    advice: /cabal/,
  },
  {
    name: "sbt, plugins that no repository has",
    run: "sbt compile",
    log: `[error] sbt.librarymanagement.ResolveException: unresolved dependency: com.acme#sbt-tax;1.5.0: not found
[error] unresolved dependency: com.acme#sbt-cart;0.8.0: not found
[error] 	at sbt.internal.librarymanagement.IvyActions$.resolveAndRetrieve(IvyActions.scala:331)
`,
    cause: "com.acme#sbt-tax;1.5.0: not found",
    category: "dependency_resolution",
    ecosystem: "sbt",
    advice: /sbt-tax/,
    never: /IvyActions/,
  },
  {
    name: "Cargo, an older crate that does not find pkg-config",
    run: "cargo build",
    log: `error: failed to run custom build command for \`acme-sys v0.9.7\`
--- stderr
thread 'main' panicked at 'called \`Result::unwrap()\` on an \`Err\` value: "Failed to run \`\\"pkg-config\\" \\"--libs\\" \\"acme\\"\`: No such file or directory (os error 2)"', /checkout/src/libcore/result.rs:906:4
`,
    cause: "pkg-config",
    category: "dependency_resolution",
    ecosystem: "rust",
    advice: /Install pkg-config/,
    never: /Do as the log itself says|result\.rs/,
  },
  {
    name: "Cargo, a library whose folder it may be told",
    run: "cargo build",
    log: `error: failed to run custom build command for \`openssl-sys v0.9.1\`
--- stderr
thread 'main' panicked at '

Could not find directory of OpenSSL installation, and this \`-sys\` crate cannot
proceed without this knowledge. If OpenSSL is installed and this crate had
trouble finding it,  you can set the \`OPENSSL_DIR\` environment variable for the
compilation process.
`,
    cause: "Could not find directory of OpenSSL installation",
    category: "dependency_resolution",
    advice: /libssl-dev/,
  },
  {
    name: "npm, a certificate that it does not know, which no retry changes",
    run: "npm install",
    log: `npm ERR! code SELF_SIGNED_CERT_IN_CHAIN
npm ERR! self signed certificate in certificate chain
`,
    cause: "self signed certificate in certificate chain",
    category: "network",
    ecosystem: "node",
    advice: /certificate authority/,
    never: /retries/,
  },
  {
    name: "Poetry, what its solver says where the heading is all that is known",
    run: "poetry lock",
    log: `#0 274.1   SolverProblemError
#0 274.1
#0 274.1   Because acme-auth (4.1.0) depends on acme-tax (>=3.1)
#0 274.1    and no versions of acme-auth match >4.1.0,<5.0.0, acme-auth (>=4.1.0,<5.0.0) requires acme-tax (>=3.1).
`,
    cause: "Because acme-auth (4.1.0) depends on acme-tax",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /acme-tax/,
  },
  {
    name: "Elixir, which offers names in a list",
    run: "mix run",
    log: `** (UndefinedFunctionError) function Cart.total/2 is undefined or private. Did you mean one of:

      * total/1

    (shop 0.1.0) lib/shop.ex:3: Shop.run/0
`,
    cause: "function Cart.total/2 is undefined or private",
    category: "unknown",
    ecosystem: "elixir",
    place: "lib/shop.ex:3",
    advice: /Did you mean total\/1/,
  },
  {
    name: "Metro, a package whose main file is not there",
    run: "npx react-native bundle",
    log: "error: Error: While trying to resolve module `acme-switch` from file `C:\\shop\\src\\Menu.js`, the package `C:\\shop\\node_modules\\acme-switch\\package.json` was successfully found. However, this package itself specifies a `main` module field that could not be resolved\n",
    cause: "While trying to resolve module `acme-switch`",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "C:\\shop\\src\\Menu.js",
    advice: /acme-switch/,
  },
  {
    name: "Bazel, a file that no BUILD file exports",
    run: "bazel build //...",
    log: `ERROR: error loading package '': no such package '@npm//': Traceback (most recent call last):
        File "/srv/ada/.cache/bazel/external/rules_node/npm_install.bzl", line 237
                repository_ctx.template("yarn.lock", repository_ctx.path(r...), {})
  Unable to load package for //:yarn.lock: not found.
`,
    cause: "Unable to load package for //:yarn.lock: not found",
    category: "missing_file",
    advice: /\/\/:yarn\.lock/,
    never: /npm_install\.bzl/,
  },
  {
    name: "Prisma, a server with a long name that is no file",
    run: "npx prisma migrate deploy",
    log: `Error: P1002

The database server at \`shop-pooler.c-3.eu-west-1.db.acme.test:5432\` was reached but timed out.
`,
    cause: "was reached but timed out",
    category: "timeout",
    advice: /5432/,
  },
];
