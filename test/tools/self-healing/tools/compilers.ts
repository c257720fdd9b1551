import type { ToolFailure } from "../logs/tool-failures.ts";

export const COMPILERS: readonly ToolFailure[] = [
  {
    name: "Perl, what dies",
    run: "perl bin/report.pl",
    log: "Can't open orders: it is locked at lib/Shop/Store.pm line 14, <STDIN> line 3.\n",
    cause: "it is locked",
    category: "unknown",
    place: "lib/Shop/Store.pm:14",
    advice: /Store\.pm:14/,
  },
  {
    name: "Perl, a name that is not declared",
    run: "perl -c bin/report.pl",
    log: `Global symbol "$totl" requires explicit package name (did you forget to declare "my $totl"?) at bin/report.pl line 9.
Execution of bin/report.pl aborted due to compilation errors.
`,
    cause: "Global symbol",
    category: "compile_error",
    place: "bin/report.pl:9",
    advice: /bin\/report\.pl:9/,
  },
  {
    name: "Perl, a module that is not there",
    run: "perl bin/report.pl",
    log: `Can't locate Text/CSV_XS.pm in @INC (you may need to install the Text::CSV_XS module) (@INC entries checked: /etc/perl /usr/local/lib/perl5) at bin/report.pl line 4.
BEGIN failed--compilation aborted at bin/report.pl line 4.
`,
    cause: "Can't locate Text/CSV_XS.pm",
    category: "dependency_resolution",
    place: "bin/report.pl:4",
    advice: /Text::CSV_XS/,
  },
  {
    name: "Prisma, a schema that does not hold",
    run: "npx prisma validate",
    log: `Prisma schema loaded from prisma/schema.prisma
Error: Prisma schema validation - (validate wasm)
Error code: P1012
error: Type "Ordr" is neither a built-in type, nor refers to another model, composite type, or enum.
  -->  prisma/schema.prisma:14
   | 
13 |   id     Int    @id
14 |   orders Ordr[]
   | 

Validation Error Count: 1
[Context: validate]
`,
    cause: 'Type "Ordr"',
    category: "configuration",
    ecosystem: "node",
    place: "prisma/schema.prisma:14",
    advice: /prisma\/schema\.prisma:14/,
  },
  {
    name: "a segmentation fault without words",
    run: "./build/shop",
    exitCode: 139,
    log: "loading 3 items\n",
    cause: "loading 3 items",
    category: "unknown",
    advice: /139|segmentation fault/i,
  },
  {
    name: "a segmentation fault that the shell names",
    run: "make check",
    exitCode: 2,
    log: `./run_checks
make: *** [Makefile:12: check] Segmentation fault (core dumped)
`,
    cause: "Segmentation fault",
    category: "unknown",
    ecosystem: "c",
    advice: /139|sanitize/,
  },
  {
    name: "svelte-check",
    run: "npx svelte-check",
    log: `
====================================
Loading svelte-check in workspace: /home/dev/shop
Getting Svelte diagnostics...

/home/dev/shop/src/routes/+page.svelte:4:9
Error: Type 'string' is not assignable to type 'number'. (ts)
<script lang="ts">
  let total: number = "9";
</script>


====================================
svelte-check found 1 error and 0 warnings in 1 file
`,
    cause: "is not assignable",
    category: "type_error",
    ecosystem: "node",
    place: "/home/dev/shop/src/routes/+page.svelte:4",
    advice: /\+page\.svelte:4/,
  },
  {
    name: "vue-tsc",
    run: "npx vue-tsc --noEmit",
    log: "src/Cart.vue(7,9): error TS2322: Type 'string' is not assignable to type 'number'.\n",
    cause: "TS2322",
    category: "type_error",
    ecosystem: "node",
    place: "src/Cart.vue:7",
    advice: /src\/Cart\.vue:7/,
  },
  {
    name: "Angular",
    run: "npx ng build",
    log: `❯ Building...
✔ Building...
Application bundle generation failed. [2.104 seconds]

✘ [ERROR] TS2339: Property 'totl' does not exist on type 'CartComponent'. [plugin angular-compiler]

    src/app/cart.component.html:3:12:
      3 │ <p>{{ totl }}</p>
        ╵       ~~~~

`,
    cause: "TS2339",
    category: "type_error",
    ecosystem: "node",
    place: "src/app/cart.component.html:3",
    advice: /cart\.component\.html:3/,
  },
  {
    name: "Astro",
    run: "npx astro check",
    log: `src/pages/index.astro:4:7 - error ts(2322): Type 'string' is not assignable to type 'number'.

4 const total: number = "9";
        ~~~~~

Result (3 files): 
- 1 error
- 0 warnings
- 0 hints
`,
    cause: "ts(2322)",
    category: "type_error",
    ecosystem: "node",
    place: "src/pages/index.astro:4",
    advice: /index\.astro:4/,
  },
  {
    name: "Sass",
    run: "npx sass src/cart.scss dist/cart.css",
    log: `Error: Undefined variable.
  ╷
3 │   color: $brnad;
  │          ^^^^^^
  ╵
  src/cart.scss 3:10  root stylesheet
`,
    cause: "Undefined variable",
    category: "compile_error",
    ecosystem: "node",
    place: "src/cart.scss:3",
    advice: /src\/cart\.scss:3/,
  },
  {
    name: "Parcel",
    run: "npx parcel build src/index.html",
    log: `🚨 Build failed.

@parcel/core: Failed to resolve './kart' from './src/index.js'

  /home/dev/shop/src/index.js:1:23
  > 1 | import { total } from "./kart";
  >   |                       ^^^^^^^^
    2 | console.log(total);

💡 Did you mean './cart'?
`,
    cause: "Failed to resolve './kart'",
    category: "missing_file",
    ecosystem: "node",
    place: "/home/dev/shop/src/index.js:1",
    advice: /\.\/kart/,
  },
  {
    name: "Zig",
    run: "zig build",
    log: `install
└─ install shop
   └─ zig build-exe shop Debug native 1 errors
src/main.zig:4:11: error: local variable is never mutated
    var total: u32 = 3;
          ^~~~~
error: the following command failed with 1 compilation errors:
/usr/local/bin/zig build-exe -ODebug -Mroot=/home/dev/shop/src/main.zig
Build Summary: 0/3 steps succeeded; 1 failed
`,
    cause: "never mutated",
    category: "compile_error",
    place: "src/main.zig:4",
    advice: /src\/main\.zig:4/,
  },
  {
    name: "GHC",
    run: "cabal build",
    log: `Build profile: -w ghc-9.6.4 -O1
[1 of 2] Compiling Main             ( app/Main.hs, dist/Main.o )

app/Main.hs:7:12: error: [GHC-83865]
    • Couldn't match expected type ‘Int’ with actual type ‘[Char]’
    • In the first argument of ‘total’, namely ‘"x"’
  |
7 | main = print (total "x")
  |                     ^^^
Error: [Cabal-7125]
Failed to build shop-0.1.0.0.
`,
    cause: "Main.hs:7:12",
    category: "compile_error",
    ecosystem: "haskell",
    place: "app/Main.hs:7",
    advice: /app\/Main\.hs:7/,
  },
  {
    name: "OCaml's dune",
    run: "dune build",
    log: `File "bin/main.ml", line 3, characters 20-23:
3 | let () = print_int "x"
                        ^^^
Error: This expression has type string but an expression was expected of type
         int
`,
    cause: "This expression has type string",
    category: "type_error",
    place: "bin/main.ml:3",
    advice: /bin\/main\.ml:3/,
  },
  {
    name: "Elm",
    run: "elm make src/Main.elm",
    log: `-- TYPE MISMATCH ------------------------------------------------ src/Main.elm

The 1st argument to \`text\` is not what I expect:

12|     text 3
             ^
This argument is a number of type:

    number
`,
    cause: "TYPE MISMATCH",
    category: "type_error",
    place: "src/Main.elm",
    advice: /src\/Main\.elm/,
  },
  {
    name: "gfortran",
    run: "gfortran src/cart.f90",
    log: `src/cart.f90:4:13:

    4 |   total = totl + 1
      |             1
Error: Symbol 'totl' at (1) has no IMPLICIT type
src/cart.f90:9:13:

    9 |   call save(total)
      |             1
Error: Type mismatch in argument 'cents' at (1); passed REAL(4) to INTEGER(4)
`,
    cause: "has no IMPLICIT type",
    category: "compile_error",
    place: "src/cart.f90:4",
    advice: /src\/cart\.f90:4/,
  },
  {
    name: "Julia",
    run: "julia --project test/runtests.jl",
    log: `ERROR: LoadError: UndefVarError: \`totl\` not defined
Stacktrace:
 [1] total(x::Int64)
   @ Shop ~/shop/src/Shop.jl:6
 [2] top-level scope
   @ ~/shop/test/runtests.jl:4
in expression starting at /home/dev/shop/test/runtests.jl:4
`,
    cause: "UndefVarError",
    category: "unknown",
    place: "~/shop/src/Shop.jl:6",
    advice: /Shop\.jl:6/,
  },
  {
    name: "a Java exception nobody caught",
    run: "java -jar shop.jar",
    log: `Exception in thread "main" java.lang.IllegalStateException: the shop is closed
	at com.acme.shop.Cart.total(Cart.java:14)
	at com.acme.shop.Main.main(Main.java:6)
`,
    cause: "the shop is closed",
    category: "unknown",
    ecosystem: "unknown",
    place: "Cart.java:14",
    advice: /Cart\.java:14/,
  },
  {
    name: "LaTeX",
    run: "pdflatex -interaction=nonstopmode thesis.tex",
    log: `This is pdfTeX, Version 3.141592653
(./thesis.tex
! Undefined control sequence.
l.14 \\sectoin
              {Results}
?
!  ==> Fatal error occurred, no output PDF file produced!
`,
    cause: "Undefined control sequence",
    category: "compile_error",
    place: "./thesis.tex:14",
    advice: /Undefined control sequence/,
  },
  {
    name: "protoc",
    run: "protoc --go_out=. shop.proto",
    log: 'shop.proto:6:3: "Itm" is not defined.\n',
    cause: "is not defined",
    category: "compile_error",
    place: "shop.proto:6",
    advice: /shop\.proto:6/,
  },
  {
    name: "Solidity under Foundry",
    run: "forge build",
    log: `Compiling 1 files with Solc 0.8.26
Error: Compiler run failed:
Error (7576): Undeclared identifier. Did you mean "total"?
 --> src/Cart.sol:9:16:
  |
9 |         return totl;
  |                ^^^^
`,
    cause: "Undeclared identifier",
    category: "compile_error",
    place: "src/Cart.sol:9",
    advice: /src\/Cart\.sol:9|total/,
  },
  {
    name: "Bazel",
    run: "bazel build //...",
    log: `INFO: Analyzed 3 targets (12 packages loaded).
ERROR: /home/dev/shop/lib/BUILD.bazel:3:11: Compiling lib/cart.cc failed: (Exit 1): gcc failed: error executing CppCompile command
lib/cart.cc: In function 'int total()':
lib/cart.cc:4:10: error: 'totl' was not declared in this scope
    4 |   return totl;
      |          ^~~~
Target //lib:cart failed to build
`,
    cause: "was not declared",
    category: "compile_error",
    ecosystem: "c",
    place: "lib/cart.cc:4",
    advice: /lib\/cart\.cc:4/,
  },
  {
    name: "Meson",
    run: "meson setup build",
    log: `The Meson build system
Version: 1.3.2
meson.build:7:0: ERROR: Dependency "libfoo" not found, tried pkgconfig and cmake

A full log can be found at /home/dev/shop/build/meson-logs/meson-log.txt
`,
    cause: 'Dependency "libfoo" not found',
    category: "dependency_resolution",
    ecosystem: "c",
    place: "meson.build:7",
    advice: /libfoo|meson\.build:7/,
  },
];
