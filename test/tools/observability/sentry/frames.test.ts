import { describe, expect, it } from "vitest";
import { occurrenceOf } from "../../../../src/tools/observability/occurrence.ts";
import { toldBy } from "../../../../src/tools/observability/sentry/event.ts";

const NOW = Date.UTC(2026, 0, 15);

/** Frames are given with the innermost first. */
const told = (platform: string, frames: object[], more: object = {}) => {
  const stacktrace = { frames: [...frames].reverse() };
  return toldBy({ platform, exception: [{ type: "E", value: "v", stacktrace }], ...more }, NOW);
};
const line = (platform: string, frame: object) => told(platform, [frame]).calls?.[0]?.trim();
const fingerprint = (platform: string, ...frames: object[]) =>
  occurrenceOf(told(platform, frames)).fingerprint;
const own = (platform: string, ...frames: object[]) =>
  told(platform, frames).frames.flatMap(({ function: name, inApp }) => (inApp ? [name] : []));

describe("a call", () => {
  it.each([
    [
      "java",
      { module: "com.acme.Shop", function: "pay", filename: "Shop.java", lineno: 3 },
      "com.acme.Shop.pay (Shop.java:3)",
    ],
    ["java", { module: "com.acme.Shop", function: "pay" }, "pay (com.acme.Shop)"],
    ["java", { module: "a.b", function: "<init>", filename: "SourceFile" }, "a.b.<init> (SourceFile)"],
    ["go", { module: "main", function: "pay", abs_path: "/src/main.go", lineno: 3 }, "pay (/src/main.go:3)"],
    ["python", { module: "shop.cart", function: "pay", filename: "shop/cart.py" }, "pay (shop/cart.py)"],
    ["python", { module: "__main__", function: "pay", filename: "cart.py" }, "pay (cart.py)"],
    [
      "elixir",
      { module: "Shop.Cart", function: "Shop.Cart.pay/1", filename: "cart.ex" },
      "Shop.Cart.pay/1 (cart.ex)",
    ],
    [
      "csharp",
      { module: "Acme.Shop", function: "Pay", filename: "C:\\src\\Shop.cs" },
      "Pay (C:\\src\\Shop.cs)",
    ],
    ["cocoa", { function: "Shop.pay", package: "/private/var/Acme.app/Acme" }, "Shop.pay (Acme)"],
  ])("of %s is shown with its class or file: %j", (platform, frame, expected) => {
    expect(line(platform, frame)).toBe(`at ${expected}`);
  });

  it("into machine code without a name is shown and grouped by its place in the file, wherever that is loaded to", () => {
    const loaded = (at: number) => ({
      debug_meta: {
        images: [
          { type: "elf", code_file: "/apex/lib/libc.so", image_addr: "0x1000", image_size: 16 },
          {
            type: "elf",
            code_file: "/data/app/libshop.so",
            image_addr: `0x${at.toString(16)}`,
            image_size: 4096,
          },
        ],
      },
    });
    const crash = (at: number, offset: number) =>
      told("native", [{ instruction_addr: `0x${(at + offset).toString(16)}` }], loaded(at));
    expect(crash(0x7f0000, 0x2c).calls).toEqual(["    at libshop.so+0x2c"]);
    expect(crash(0x7f0000, 4096).calls).toEqual(["    at <unknown>"]);
    const group = (at: number, offset: number) => occurrenceOf(crash(at, offset)).fingerprint;
    expect(group(0x7f0000, 0x2c)).toBe(group(0x5a0000, 0x2c));
    expect(group(0x7f0000, 0x2c)).not.toBe(group(0x7f0000, 0x30));
  });
});

describe("an error", () => {
  const calls = [
    { function: "parse", module: "java.lang.Integer", filename: "Integer.java", lineno: 7 },
    { function: "pay", module: "com.acme.Shop", filename: "Shop.java", lineno: 3 },
    { function: "main", module: "com.acme.Main", filename: "Main.java", lineno: 1 },
  ];

  it("happened where its program says, else in the innermost call of the program itself", () => {
    const where = (...given: Parameters<typeof told>) => occurrenceOf(told(...given)).route;
    expect(where("java", calls)).toBe("com.acme.Shop.pay (Shop.java)");
    expect(where("java", calls.slice(0, 1))).toBe("java.lang.Integer.parse (Integer.java)");
    expect(where("java", calls, { transaction: "GET /pay" })).toBe("GET /pay");
    expect(where("java", [])).toBeUndefined();
    expect(occurrenceOf({ ...told("java", calls), source: "server" }).route).toBeUndefined();
  });
});

describe("a frame", () => {
  it.each([null, 7, [], Object.create(null), "x".repeat(5000)])(
    "may have members of any type, such as %j",
    (value) => {
      const names = ["function", "module", "filename", "abs_path", "package", "platform", "in_app", "lineno"];
      const frame = Object.fromEntries([...names, "instruction_addr"].map((name) => [name, value]));
      const images = [value, { code_file: value, image_addr: value, image_size: value }];
      expect(told("native", [frame, value], { debug_meta: { images } }).frames).toHaveLength(2);
    },
  );
});

describe("errors in functions of one name", () => {
  it.each([
    ["java", { module: "com.acme.Orders" }, { module: "com.acme.Users" }],
    ["java", { module: "com.acme.Orders$place$1" }, { module: "com.acme.Users$place$1" }],
    ["python", { module: "shop.orders" }, { module: "shop.users" }],
    ["go", { module: "acme.test/orders" }, { module: "acme.test/users" }],
    ["ruby", { filename: "app/jobs/orders.rb" }, { filename: "app/jobs/users.rb" }],
  ])("are told apart by the class or file in %s", (platform, one, other) => {
    const call = (frame: object) => fingerprint(platform, { function: "handle", in_app: true, ...frame });
    expect(call(one)).not.toBe(call(other));
  });

  it.each([
    ["javascript", { module: "shop.4f1a" }, { module: "shop.9c0d" }],
    ["node", { module: "dist:shop-4F1a" }, { module: "dist:shop-9c0D" }],
    [
      "java",
      { module: "com.acme.Shop$$Lambda$14/0x00007f9c2c1a" },
      { module: "com.acme.Shop$$Lambda$9/0x00007f9c2aaa" },
    ],
    [
      "java",
      { module: "com.acme.Shop$$Lambda/0x00007f9c2c1a" },
      { module: "com.acme.Shop$$Lambda/0x00007f9c2aaa" },
    ],
    [
      "java",
      { module: "com.acme.Shop$$EnhancerBySpringCGLIB$$1a2b3c" },
      { module: "com.acme.Shop$$EnhancerBySpringCGLIB$$4d5e6f" },
    ],
    [
      "java",
      { module: "com.acme.Shop$HibernateProxy$xY8f" },
      { module: "com.acme.Shop$HibernateProxy$Ab12" },
    ],
    ["java", { module: "jdk.proxy2.$Proxy12" }, { module: "jdk.proxy2.$Proxy7" }],
    [
      "java",
      { module: "jdk.internal.reflect.GeneratedMethodAccessor4" },
      { module: "jdk.internal.reflect.GeneratedMethodAccessor9" },
    ],
    [
      "php",
      { function: "class@anonymous\0/srv/a.php:12$0::run" },
      { function: "class@anonymous\0/srv/a.php:14$3::run" },
    ],
    [
      "php",
      { function: "class@anonymous /srv/a.php0x7f19ad::run" },
      { function: "class@anonymous /srv/a.php0x7f22bc::run" },
    ],
    ["cocoa", { function: "closure #1 in Shop.pay()" }, { function: "closure #2 in Shop.pay()" }],
    ["csharp", { function: "<Run>g__Save|5_0" }, { function: "<Run>g__Save|6_1" }],
    [
      "ruby",
      { function: "_app_views_cart_html_erb___12345_678" },
      { function: "_app_views_cart_html_erb___98765_432" },
    ],
  ])("are one error in each build and run of %s: %j and %j", (platform, one, other) => {
    const call = (frame: object) => fingerprint(platform, { function: "handle", in_app: true, ...frame });
    expect(call(one)).toBe(call(other));
  });
});

describe("calls of the program itself", () => {
  it("are those that the SDK says, if it says so of any", () => {
    const [library, mine] = [
      { function: "shop", module: "com.acme.Shop", in_app: false },
      { function: "parse", module: "java.lang.Integer", in_app: true },
    ];
    expect(own("java", library, mine)).toEqual(["parse"]);
    expect(own("node", { function: "a", filename: "/srv/node_modules/a.js", in_app: true })).toEqual(["a"]);
  });

  it.each([
    ["java", { module: "java.lang.Integer", filename: "Integer.java" }],
    ["java", { module: "org.springframework.web.servlet.DispatcherServlet" }],
    ["csharp", { module: "System.Threading.Tasks.Task" }],
    ["python", { filename: "flask/app.py", abs_path: "/venv/lib/python3.11/site-packages/flask/app.py" }],
    ["python", { filename: "json/decoder.py", abs_path: "/usr/lib/python3.11/json/decoder.py" }],
    [
      "ruby",
      { filename: "rack/builder.rb", abs_path: "/usr/share/rubygems/gems/rack-2.2/lib/rack/builder.rb" },
    ],
    ["go", { abs_path: "/home/app/go/pkg/mod/acme.test/x@v1/x.go" }],
    ["php", { filename: "/vendor/laravel/framework/Pipeline.php" }],
    ["node", { filename: "node:internal/modules/loader" }],
    ["javascript", { filename: "[native code]" }],
    ["javascript", { filename: "<anonymous>" }],
  ])("are not those of libraries where the SDK does not say: %s, %j", (platform, frame) => {
    expect(
      own(platform, { function: "library", ...frame }, { function: "shop", filename: "src/shop" }),
    ).toEqual(["shop"]);
    expect(own(platform, { function: "library", ...frame, in_app: false }, { function: "shop" })).toEqual([
      "shop",
    ]);
  });

  it.each(["javascript", "php"])(
    "are not those of libraries in %s, whose SDK says so of every call",
    (platform) => {
      const vendor = { function: "library", filename: "https://shop.example/vendor/a.js", in_app: true };
      expect(own(platform, vendor, { function: "shop", filename: "a.js", in_app: true })).toEqual(["shop"]);
    },
  );
});
