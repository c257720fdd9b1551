import type { ToolFailure } from "../logs/tool-failures.ts";

/**
 * Failures as people paste them when they ask others, of tools that few machines have: the end of a log, often cut, and
 * in front of the reason what is no reason.
 */
export const PASTED_REASONS: readonly ToolFailure[] = [
  {
    name: "NuGet, a downgrade that counts as an error, above what asks for the version",
    run: "dotnet restore",
    log: `  Determining projects to restore...
C:\\shop\\src\\Shop.csproj : error NU1605: Warning As Error: Detected package downgrade: Acme.Tax from 3.1.0 to 3.0.0. Reference the package directly from the project to select a different version.  [C:\\shop\\Shop.sln]
C:\\shop\\src\\Shop.csproj : error NU1605:  Shop -> Acme.Cart 2.0.0 -> Acme.Tax (>= 3.1.0)  [C:\\shop\\Shop.sln]
C:\\shop\\src\\Shop.csproj : error NU1605:  Shop -> Acme.Tax (>= 3.0.0) [C:\\shop\\Shop.sln]
  Failed to restore C:\\shop\\src\\Shop.csproj (in 40 ms).
`,
    cause: "Detected package downgrade: Acme.Tax",
    category: "dependency_resolution",
    ecosystem: "dotnet",
    place: "C:\\shop\\src\\Shop.csproj",
    advice: /dotnet add package Acme\.Tax --version 3\.1\.0/,
  },
  {
    name: "MSBuild, a command of a target that says what it misses",
    run: "dotnet build build.proj",
    log: `  Restoring packages
EXEC : error : Could not find file '/srv/acme/cache/tax.p2d'. [/srv/shop/build.proj]
/srv/shop/build.proj(8,5): error MSB3073: The command "acme restore --packages "/srv/shop/packages"" exited with code 1.

Build FAILED.
    0 Warning(s)
    2 Error(s)
`,
    cause: "Could not find file '/srv/acme/cache/tax.p2d'",
    category: "missing_file",
    ecosystem: "dotnet",
    place: "/srv/acme/cache/tax.p2d",
    advice: /tax\.p2d/,
    never: /sln list/,
  },
  {
    name: "the linker of MSVC, in another language, below the name of the source that was compiled",
    run: "cmake --build build",
    log: `[build]   cart.cpp
[build] LINK : fatal error LNK1104: Datei "acmetax.lib" kann nicht geöffnet werden. [C:\\shop\\build\\Shop.vcxproj]
`,
    cause: "LNK1104",
    category: "missing_file",
    ecosystem: "c",
    place: "C:\\shop\\build\\Shop.vcxproj",
    advice: /acmetax\.lib/,
    never: /cart\.cpp/,
  },
  {
    name: "Unity, which crashes after it has said that scripts do not compile",
    run: "unity -batchmode -quit",
    log: `Aborting batchmode due to failure:
Scripts have compiler errors.

/home/builduser/buildslave/unity/build/PlatformDependent/Linux/External/threads.inl.h(7): Assertion failed (rc == 0)
Caught fatal signal - signo:6 code:0 errno:0 addr:(nil)
/home/builduser/buildslave/unity/build/PlatformDependent/Linux/External/threads.inl.h(7): Assertion failed (rc == 0)
Aborted (core dumped)
`,
    cause: "Scripts have compiler errors.",
    category: "compile_error",
    ecosystem: "dotnet",
    advice: /error CS/,
    never: /threads\.inl\.h/,
  },
  {
    name: "BuildKit, a file that another image does not have, in a Dockerfile of another name",
    run: "docker build -f base.dockerfile .",
    log: `#7 [base  3/5] COPY --from=acme/tools:2 /opt/acme/lib/libtax.so /opt/acme/lib/
#7 ERROR: "/opt/acme/lib/libtax.so" not found: not found
------
 > [base  3/5] COPY --from=acme/tools:2 /opt/acme/lib/libtax.so /opt/acme/lib/:
------
base.dockerfile:9
--------------------
   8 |         /opt/acme/lib/libcart.so
   9 | >>> COPY --from=acme/tools:2 /opt/acme/lib/libtax.so /opt/acme/lib/
`,
    cause: '"/opt/acme/lib/libtax.so" not found',
    category: "missing_file",
    ecosystem: "docker",
    place: "base.dockerfile:9",
    advice: /libtax\.so/,
  },
  {
    name: "BuildKit, a key of the cache that it cannot compute although nothing is missing",
    run: "docker build .",
    log: "ERROR: failed to solve: failed to compute cache key: unlazy requires an applier\n",
    cause: "unlazy requires an applier",
    category: "infrastructure",
    ecosystem: "docker",
    advice: /docker builder prune/,
    never: /dockerignore|makes the file/,
  },
  {
    name: "kubectl of older versions, a field that a kind does not have",
    run: "helm upgrade shop ./chart",
    log: `UPGRADE FAILED
Error: failed decoding reader into objects: error validating "": error validating data: ValidationError(Deployment.spec.template.spec.containers[0]): unknown field "restart" in io.k8s.api.core.v1.Container
`,
    cause: 'unknown field "restart"',
    category: "configuration",
    ecosystem: "kubernetes",
    advice: /Remove or correct restart in Deployment\.spec\.template\.spec\.containers\[0\]/,
    never: /containers:0/,
  },
  {
    name: "Helm, a role that gives more than its author has",
    run: "helm install shop ./chart",
    log: `Error: INSTALLATION FAILED: roles.rbac.authorization.k8s.io "shop-secrets" is forbidden: user "ada" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["secrets"], Verbs:["apply"]}
`,
    cause: "attempting to grant RBAC permissions not currently held",
    category: "permission",
    ecosystem: "kubernetes",
    advice: /role/i,
  },
  {
    name: "Pulumi, a resource that its provider does not accept, behind the name of the program",
    run: "pulumi up",
    log: `[ acme/shop ]     + cloud:service:Service: (create)
[ acme/shop ] error PU2012: aws:lb/balancer:Balancer resource 'shop' has a problem: security_groups: should be a list
[ acme/shop ] error: An error occurred while advancing the preview: One or more resource validation errors occurred; refusing to proceed
`,
    cause: "security_groups: should be a list",
    category: "configuration",
    advice: /security_groups/,
  },
  {
    name: "Terraform of older versions, what exists, below a count of errors and above another",
    run: "terraform apply",
    log: `Error: Error applying plan:

* module.shop.aws_guardduty_detector.eu: 1 error(s) occurred:
* aws_guardduty_detector.eu: Creating GuardDuty Detector failed: BadRequestException: The request is rejected because a detector already exists for the current account.
    status code: 400, request id: 0a1b
* module.shop.aws_guardduty_detector.us: 1 error(s) occurred:
`,
    cause: "a detector already exists for the current account",
    category: "configuration",
    ecosystem: "terraform",
    advice: /[Ii]mport what exists/,
  },
  {
    name: "Terraform, an account that may not register what Azure has",
    run: "terraform plan",
    log: `Error: Error ensuring Resource Providers are registered.

Terraform automatically attempts to register the Resource Providers it supports to
ensure it's able to provision resources.
`,
    cause: "ensuring Resource Providers are registered",
    category: "permission",
    ecosystem: "terraform",
    advice: /resource_provider_registrations/,
  },
  {
    name: "Bazel, a repository that nothing defines",
    run: "bazel build //...",
    log: `ERROR: WORKSPACE:9:1: no such package '@acme_tools//tools': /home/ada/.cache/acme_tools (No such file or directory) and referenced by '//external:acme/stub'.
ERROR: Loading failed; build aborted.
`,
    cause: "no such package '@acme_tools//tools'",
    category: "dependency_resolution",
    place: "WORKSPACE:9",
    advice: /@acme_tools\/\/tools/,
  },
  {
    name: "Nix, a builder that fails, below which all that needs it is listed",
    run: "nixos-rebuild switch",
    log: `building the system configuration...
error: builder for '/nix/store/0a1b-acme.conf.drv' failed with exit code 2
error: 1 dependencies of derivation '/nix/store/1b2c-unit-acme.service.drv' failed to build
error: 1 dependencies of derivation '/nix/store/2c3d-etc.drv' failed to build
`,
    cause: "builder for '/nix/store/0a1b-acme.conf.drv' failed",
    category: "unknown",
    advice: /nix log \/nix\/store\/0a1b-acme\.conf\.drv/,
  },
  {
    name: "opam, what a package's build says, quoted in its report",
    run: "opam install shop",
    log: `#=== ERROR while compiling shop.1.0.0 =========================================#
# context              2.1.5 | linux/x86_64 | ocaml-base-compiler.5.1.0
# command              ~/.opam/5.1/bin/dune build -p shop -j 2
# exit-code            1
### output ###
# Error: I don't know about package shop (passed through
# --only-packages/--release)
`,
    cause: "I don't know about package shop",
    category: "unknown",
    advice: /package shop/,
  },
  {
    name: "Cargo, a crate that asks pkg-config, which is not there",
    run: "cargo build",
    log: `error: failed to run custom build command for \`openssl-sys v0.9.103\`
  run pkg_config fail: Could not run \`pkg-config --libs --cflags openssl\`
  The pkg-config command could not be found.

  Most likely, you need to install a pkg-config package for your OS.

  --- stderr
  Could not find directory of OpenSSL installation, and this \`-sys\` crate cannot
  proceed without this knowledge.
`,
    cause: "The pkg-config command could not be found.",
    category: "dependency_resolution",
    ecosystem: "rust",
    advice: /Install pkg-config/,
  },
  {
    name: "sbt, a version that no repository has",
    run: "sbt compile",
    log: `[info] Updating
[error] (update) sbt.librarymanagement.ResolveException: Error downloading com.acme:tax_2.13:9.9.9
[error]   Not found
[error]   not found: /home/ada/.ivy2/local/com.acme/tax_2.13/9.9.9/ivys/ivy.xml
[error]   not found: https://repo.acme.test/maven2/com/acme/tax_2.13/9.9.9/tax_2.13-9.9.9.pom
`,
    cause: "Error downloading com.acme:tax_2.13:9.9.9",
    category: "dependency_resolution",
    ecosystem: "sbt",
    advice: /com\.acme:tax_2\.13:9\.9\.9/,
  },
  {
    name: "pip, a package that needs Microsoft's compiler",
    run: "pip install acme-tax",
    log: `  error: subprocess-exited-with-error

  × Building wheel for acme-tax (pyproject.toml) did not run successfully.
  │ exit code: 1
  ╰─> [5 lines of output]
      running bdist_wheel
      running build_ext
      building 'acme.tax' extension
      error: Microsoft Visual C++ 14.0 or greater is required. Get it with "Microsoft C++ Build Tools": https://visualstudio.microsoft.com/visual-cpp-build-tools/
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
`,
    cause: "Microsoft Visual C++ 14.0 or greater is required",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /Build Tools/,
  },
  {
    name: "a gem that misses a library, below the news of RubyGems that it was not built",
    run: "bundle install",
    log: `/usr/share/rvm/lib/ruby/site_ruby/1.9.1/rubygems/installer.rb:120:in \`rescue in block in build_extensions': ERROR: Failed to build gem native extension. (Gem::Installer::ExtensionBuildError)

    /usr/bin/ruby extconf.rb
checking for acmetax/parser.h... no
-----
libacmetax is missing.  please visit http://acme.test/install.html for help with installing dependencies.
-----
*** extconf.rb failed ***
Could not create Makefile due to some reason, probably lack of
necessary libraries and/or headers.  Check the mkmf.log file for more
details.  You may need configuration options.
`,
    cause: "libacmetax is missing",
    category: "dependency_resolution",
    ecosystem: "ruby",
    advice: /libacmetax/,
    never: /installer\.rb|You may need/,
  },
  {
    name: "Composer, a library of the system that has the wrong version, above what needs it",
    run: "composer install",
    log: `Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - acme/icu v1.2.0 requires lib-icu >=4.4 -> the requested linked library icu has the wrong version installed or is missing from your system, make sure to have the extension providing it.
    - acme/intl v2.3.3 requires acme/icu ~1.0 -> satisfiable by acme/icu[v1.2.0].
`,
    cause: "the requested linked library icu has the wrong version",
    category: "dependency_resolution",
    ecosystem: "php",
    advice: /icu/,
  },
  {
    name: "R, a package that does not compile",
    run: "R CMD INSTALL acmetax",
    log: `** libs
ERROR: compilation failed for package ‘acmetax’
* removing ‘/home/ada/R/library/acmetax’
`,
    cause: "compilation failed for package ‘acmetax’",
    category: "compile_error",
    advice: /acmetax/,
  },
  {
    name: "Zig, whose progress stands before the first finding",
    run: "zig build",
    log: `Semantic Analysis [120/340] ./build.zig:12:7: error: expected type '[]const u8', found '(enum literal)'
            .step = std.build.Step.init(.Custom, "Scan", builder.allocator, make),
                                        ^
./build.zig:31:7: error: expected type '[]const u8', found '(enum literal)'
`,
    cause: "./build.zig:12:7",
    category: "type_error",
    place: "./build.zig:12",
    advice: /build\.zig:12/,
  },
  {
    name: "Zig, a manifest of another version",
    run: "zig build",
    log: `/srv/shop/build.zig.zon:3:13: error: expected enum literal
    .name = "shop",
            ^~~~~~
`,
    cause: "expected enum literal",
    category: "compile_error",
    place: "/srv/shop/build.zig.zon:3",
    advice: /build\.zig\.zon:3/,
  },
  {
    name: "Metro, a module that an app of a workspace does not have",
    run: "npx react-native start",
    log: `error: Error: Unable to resolve module acme-tax from /srv/shop/apps/mobile/index.tsx: acme-tax could not be found within the project or in these directories:
  node_modules
  ../../node_modules
  3 |  */
  4 |
> 5 | import { rate } from "acme-tax";
    |                       ^
`,
    cause: "Unable to resolve module acme-tax",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "/srv/shop/apps/mobile/index.tsx",
    advice: /acme-tax/,
    never: /: node_modules$/m,
  },
  {
    name: "Angular, a component that its module does not know, above a list of remedies",
    run: "ng build",
    log: `Error: src/app/shop/shop.component.html:7:7 - error NG8001: 'app-cart' is not a known element:
1. If 'app-cart' is an Angular component, then verify that it is part of this module.
2. If 'app-cart' is a Web Component then add 'CUSTOM_ELEMENTS_SCHEMA' to the '@NgModule.schemas' of this component to suppress this message.

7        <app-cart></app-cart>
         ~~~~~~~~~~
`,
    cause: "error NG8001: 'app-cart' is not a known element",
    category: "compile_error",
    ecosystem: "node",
    place: "src/app/shop/shop.component.html:7",
    advice: /'app-cart' is not a known element/,
  },
  {
    name: "Prisma, a database that does not answer",
    run: "npx prisma migrate deploy",
    log: `Prisma schema loaded from prisma/schema.prisma
Datasource "db": PostgreSQL database "shop", schema "public" at "localhost:5432"

Error: P1001: Can't reach database server at \`localhost:5432\`

Please make sure your database server is running at \`localhost:5432\`.
`,
    cause: "P1001: Can't reach database server",
    category: "network",
    advice: /localhost.*5432/,
  },
  {
    name: "Flyway in a program, whose stack is pasted without its indentation",
    run: "java -jar shop.jar",
    log: `2026-01-15 12:00:00,123 ERROR [acme.shop.Application] (main) Failed to start application: org.flywaydb.core.api.exception.FlywayValidateException: Validate failed: Migrations have failed validation
Migration checksum mismatch for migration version 3
-> Applied to database : -11223344
-> Resolved locally : 55667788
at org.flywaydb.core.Flyway.lambda$migrate$0(Flyway.java:10)
at org.flywaydb.core.FlywayExecutor.execute(FlywayExecutor.java:20)
`,
    cause: "Migration checksum mismatch for migration version 3",
    category: "configuration",
    advice: /Undo the change to the migration/,
    never: /Flyway\.java/,
  },
  {
    name: "Git LFS, an object that it does not get, for which a filter fails",
    run: "git pull",
    log: `Downloading assets/tax.bin (12.50 KB)
Error downloading object: assets/tax.bin (0a1b2c3): Smudge error: Error downloading assets/tax.bin

Errors logged to /srv/shop/.git/lfs/logs/1.log
Use \`git lfs logs last\` to view the log.
error: external filter 'git-lfs filter-process' failed
fatal: assets/tax.bin: smudge filter lfs failed
`,
    cause: "Error downloading object: assets/tax.bin",
    category: "network",
    ecosystem: "git",
    advice: /git lfs logs last/,
  },
  {
    name: "Julia, a package for which no version is left",
    run: "julia --project -e 'using Pkg; Pkg.resolve()'",
    log: `ERROR: Unsatisfiable requirements detected for package AcmeTax [0a1b2c3d]:
 AcmeTax [0a1b2c3d] log:
 ├─possible versions are: 1.0.0-1.2.0 or uninstalled
 └─restricted by compatibility requirements with AcmeCart [1b2c3d4e] to versions: uninstalled — no versions left
`,
    cause: "Unsatisfiable requirements detected for package AcmeTax",
    category: "dependency_resolution",
    advice: /AcmeTax/,
  },
  {
    name: "Bun, a package that is not installed, above the source and below it its place",
    run: "bun run index.ts",
    log: `error: Could not resolve: "acme-tax". Maybe you need to "bun install"?
import { rate } from 'acme-tax'
                     ^
/srv/shop/index.ts:1:22 21
`,
    cause: 'Could not resolve: "acme-tax"',
    category: "dependency_resolution",
    ecosystem: "node",
    place: "/srv/shop/index.ts:1",
    advice: /bun install/,
  },
  {
    name: "Kotlin on Windows, which writes places as addresses",
    run: "gradlew build",
    log: `> Task :compileKotlin FAILED
e: file:///D:/shop/src/main/kotlin/plugins/cart.gradle.kts:8:5 Unresolved reference: tax

FAILURE: Build failed with an exception.
`,
    cause: "Unresolved reference: tax",
    category: "compile_error",
    ecosystem: "gradle",
    place: "D:/shop/src/main/kotlin/plugins/cart.gradle.kts:8",
    advice: /cart\.gradle\.kts:8/,
  },
  {
    name: "Gradle's own exception for a script, as --stacktrace prints it",
    run: "gradle build --stacktrace",
    log: `* Exception is:
ScriptCompilationException(errors=[ScriptCompilationError(message=Unresolved reference: tax, location=/srv/shop/build.gradle.kts (9:3))])
	at org.gradle.kotlin.dsl.support.KotlinCompilerKt.compileKotlinScriptModuleTo(KotlinCompiler.kt:10)
`,
    cause: "Unresolved reference: tax",
    category: "compile_error",
    ecosystem: "gradle",
    place: "/srv/shop/build.gradle.kts:9",
    advice: /build\.gradle\.kts:9/,
  },
];
