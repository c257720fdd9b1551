import { describe, expect, it } from "vitest";
import { masked } from "../../../src/tools/observability/masked.ts";
import { occurrenceOf } from "../../../src/tools/observability/occurrence.ts";
import type { ReportedError } from "../../../src/tools/observability/reported-error.ts";
import { toldBy } from "../../../src/tools/observability/sentry/event.ts";
import { toldByThrown } from "../../../src/tools/observability/thrown.ts";

const NOW = Date.UTC(2026, 0, 15);
const x = (count: number) => "x".repeat(count);

describe("masked()", () => {
  it.each([
    // Values assigned to names of secrets.
    ["passphrase=abc def", "passphrase=[masked] def"],
    ["pwd: abc", "pwd: [masked]"],
    ["secret = abc", "secret = [masked]"],
    ["apikey=a", "apikey=[masked]"],
    ["api-key=a", "api-key=[masked]"],
    ["API_KEY=a", "API_KEY=[masked]"],
    ["sessionid=a", "sessionid=[masked]"],
    ["session-id=a", "session-id=[masked]"],
    ["session_id: a", "session_id: [masked]"],
    ["my_tokens2=a", "my_tokens2=[masked]"],
    ["token-of-mine=a", "token-of-mine=[masked]"],
    [`token${x(20)}=a`, `token${x(20)}=[masked]`],
    [`token${x(21)}=a`, `token${x(21)}=a`],
    ["{'token': 'a b'}", "{'token': [masked]}"],
    ['"token" : "a b"', '"token" : [masked]'],
    ["token  =a", "token  =a"],
    ["token=  a", "token=  a"],
    ["token=a,b=c", "token=[masked],b=c"],
    ["token=a;b", "token=[masked];b"],
    ["f(token=a)", "f(token=[masked])"],
    ["{token=a}", "{token=[masked]}"],
    ["[token=a]", "[token=[masked]]"],
    ["token=a&b", "token=[masked]&b"],
    ["token=", "token="],
    ['token=""', 'token=""'],
    ["token=a\nb", "token=[masked]\nb"],
    ['token="a\nb"', 'token="a\nb"'],
    // Headers, up to the end of the line or of the quotes.
    ["Proxy-Authorization: a b", "Proxy-Authorization: [masked]"],
    ["authorization=a b", "authorization=[masked]"],
    ["Set-Cookie: a=b; c\nd", "Set-Cookie: [masked]\nd"],
    ['{"cookie": "a b", "c": 1}', '{"cookie": "[masked]", "c": 1}'],
    ["{'cookie':'a b'}", "{'cookie':'[masked]'}"],
    ["cookie : a", "cookie : [masked]"],
    ["mycookie: a", "mycookie: a"],
    ["cookies: a", "cookies: a"],
    ["cookie:\n\na", "cookie:\n\na"],
    // E-mail addresses.
    ["a.b_c%d+e-f@mail.example", "[masked e-mail]"],
    ["jürgen@bücher.example", "[masked e-mail]"],
    ["a@b.c.d.e.f.g", "[masked e-mail]"],
    ["a@b.c.d.e.f.g.h", "[masked e-mail].h"],
    ["a@b", "a@b"],
    ["a@.b", "a@.b"],
    ["@b.c", "@b.c"],
    ["shop@1.4", "shop@1.4"],
    ["shop@10.40.7", "shop@10.40.7"],
    ["jo@1.4th.example", "[masked e-mail]"],
    ["jo@1a.example", "[masked e-mail]"],
    [`${x(64)}@b.c`, "[masked e-mail]"],
    [`${x(65)}@b.c`, "x[masked e-mail]"],
    [`a@${x(63)}.${x(63)}`, "[masked e-mail]"],
    [`a@${x(64)}.b`, `a@${x(64)}.b`],
  ])("turns %j into %j", (text, shown) => expect(masked(text, 400)).toBe(shown));

  it.each([
    ["password=", 500],
    ['password="', 500],
    ["password='", 500],
    ["cookie: ", 2000],
  ])("masks text after %s of up to %2$d characters", (before, most) => {
    const quote = /["']$/.exec(before)?.[0] ?? "";
    const shown = (length: number) => masked(`${before}${"é".repeat(length)}${quote}`, 5000);
    expect(shown(most)).toBe(`${quote === "" ? before : before.slice(0, -1)}[masked]`);
    expect(shown(most + 1)).toContain("é");
  });

  it("masks within twice the maximum length before it truncates", () => {
    expect(masked("a".repeat(10), 10)).toBe("a".repeat(10));
    expect(masked("a".repeat(11), 10)).toBe(`${"a".repeat(9)}…`);
    // The text is masked before it is cut.
    expect(masked(`pwd=${"s".repeat(40)} after`, 30)).toBe("pwd=[masked] after");
    expect(masked(`pwd=${"s".repeat(60)} after`, 30)).toBe("pwd=[masked]");
    expect(masked(`${"a".repeat(8)}😀😀`, 10)).toBe(`${"a".repeat(8)}\ufffd…`);
    expect(masked(`${"s".repeat(4)}\ud83d`, 10)).toBe("ssss\ufffd");
  });
});

describe("toldByThrown()", () => {
  it.each<[string, string | undefined, string, boolean]>([
    ["    at f (/app/a.js:1:2)", "f", "/app/a.js", true],
    ["    at new Shop (/app/a.js:1:2)", "new Shop", "/app/a.js", true],
    ["    at Object.<anonymous> (/app/a.js:1:2)", "Object.<anonymous>", "/app/a.js", true],
    ["    at f (/app/a.js:12:34)", "f", "/app/a.js", true],
    ["    at f (/app/a.js:12)", "f", "/app/a.js", true],
    ["    at f (/app/a.js)", "f", "/app/a.js", true],
    ["    at async /app/a.js:1:2", undefined, "async /app/a.js", true],
    ["    at async f (/app/a.js:1:2)", "f", "/app/a.js", true],
    ["    at f (native)", "f", "native", true],
    [" at f (/a.js:1:2)", "f", "/a.js", true],
    ["    at f (C:\\app\\node_modules\\lib\\a.js:1:2)", "f", "C:\\app\\node_modules\\lib\\a.js", false],
    ["    at f (C:\\app\\a.js:1:2)", "f", "C:\\app\\a.js", true],
    ["    at f (/app/node_modules.js:1:2)", "f", "/app/node_modules.js", true],
    ["    at f (/app/my_node_modules/a.js:1:2)", "f", "/app/my_node_modules/a.js", true],
    ["    at f (file:///app/a.js:1:2)", "f", "file:///app/a.js", true],
    ["    at f (/app/node:x/a.js:1:2)", "f", "/app/node:x/a.js", true],
    ["    at node:internal/x:1:2", undefined, "node:internal/x", false],
  ])("parses the stack line %j", (line, name, file, inApp) => {
    const error = Object.assign(new Error("m"), { stack: `Error: m\n${line}` });
    expect(toldByThrown(error, { at: NOW }).frames).toEqual([{ function: name, file, inApp }]);
  });

  it.each(["at f (/app/a.js:1:2)", "x    at f (/app/a.js:1:2)", "    at", "    att f (/a.js:1:2)"])(
    "ignores the stack line %j",
    (line) => {
      const error = Object.assign(new Error("m"), { stack: `Error: m\n${line}` });
      expect(toldByThrown(error, { at: NOW }).frames).toEqual([]);
    },
  );

  it("returns no frames for an error without a stack", () => {
    const error = Object.assign(new Error("m"), { stack: undefined });
    expect(toldByThrown(error, { at: NOW, traceId: "t" })).toEqual({
      source: "server",
      type: "Error",
      message: "m",
      stack: undefined,
      frames: [],
      at: NOW,
      traceId: "t",
    });
  });
});

describe("occurrenceOf()", () => {
  const fingerprint = (message: string, more: Partial<ReportedError> = {}) =>
    occurrenceOf({ source: "client", type: "E", message, frames: [], at: NOW, ...more }).fingerprint;
  const hex = (length: number, first = "1") => first + "a".repeat(length - 1);

  it.each<[string, string]>([
    [`at "${"a".repeat(300)}"`, 'at ""'],
    [`at '${"a".repeat(300)}'`, 'at ""'],
    [`at \`${"a".repeat(300)}\``, 'at ""'],
    ["0A1B2C3D-1111-4222-8333-444455556666 gone", "# gone"],
    [`ab_${"a".repeat(20)}`, "#"],
    [`abcdefgh_${"a".repeat(19)}9`, "#"],
    [hex(6), "#"],
    [hex(40), "#"],
    ["DEADBEE5", "#"],
    ["1", "234"],
    ["can't open 'a.txt' of 'b'", "can't open 'c d' of 'e'"],
    ["couldn't read b'one', which isn't 'two'", "couldn't read b'', which isn't 'o'neil'"],
    ["KeyError('river')", "KeyError('sunset')"],
    ["GET /search?q=copper&page[]=2 took long", "GET /search?q=falcon took long"],
    ["sleeping 14.428s, then on", "sleeping 590.7ms, then on"],
    ["sleeping 1m35s", "sleeping 488µs"],
    ["sleeping 1 hour", "sleeping 2 hours 30 min"],
    ["allocated 970B", "allocated 346.71 MiB"],
    ["allocated 84569 bytes of it", "allocated 424.6KB of it"],
    ["columns ['a']", "columns ['b', 'c', 'd']"],
    ["shapes [1, 2, 3]", "shapes [4]"],
    ["Request failed with status code 502", "Request failed with status code 503"],
    ["exit status 4", "exit status 5"],
    ["order status 4001", "order status 5001"],
    ["pod api-5b7b061d7-zkgn8 is gone", "pod api-cbc7zk9d-4cfwr is gone"],
    ["pod api-5b7b061d7-zkgn8_prod(1)", "pod api-ffc819fbd-vhqqj_prod(2)"],
  ])("gives the messages %j and %j the same fingerprint", (one, other) =>
    expect(fingerprint(one)).toBe(fingerprint(other)),
  );

  it.each<[string, string]>([
    [`at '${"a".repeat(301)}'`, `at '${"b".repeat(301)}'`],
    [`at \`${"a".repeat(301)}\``, `at \`${"b".repeat(301)}\``],
    ["at 'a\nb'", "at 'c\nb'"],
    ["at `a\nb`", "at `c\nb`"],
    [`ab_${"k".repeat(19)}`, `ab_${"l".repeat(19)}`],
    [`a_${"k".repeat(20)}`, `a_${"l".repeat(20)}`],
    [`abcdefghi_${"k".repeat(20)}`, `abcdefghi_${"l".repeat(20)}`],
    [`AB_${"k".repeat(20)}`, `AB_${"l".repeat(20)}`],
    [`ab_${"k".repeat(20)}K`, `ab_${"l".repeat(20)}K`],
    ["a1b2c", "a1b2d"],
    ["Request failed with status code 404", "Request failed with status code 500"],
    ["HTTP error! status: 401", "HTTP error! status: 503"],
    ["GET /items/1 HTTP/1.1 404", "GET /items/1 HTTP/1.1 502"],
    ["can't open it, don't know", "can't find it, don't know"],
    ["5 sheets", "5 hosts"],
    ["at 5 Mars", "at 5 Moon"],
    ["what? a=b", "what? a=c"],
    ["api-5b7b061d7-green", "api-5b7b061d7-black"],
    ["a, b", "a, b, c"],
    ["deadbeef", "deadbeee"],
    ["a1b2c3g", "a1b2c4h"],
    ["0a1b2c3d-1111-4222-8333-44445555666k", "0a1b2c3d-1111-4222-8333-44445555666m"],
  ])("gives the messages %j and %j different fingerprints", (one, other) =>
    expect(fingerprint(one)).not.toBe(fingerprint(other)),
  );

  it.each([
    ["lambda$run$2", "lambda$run$13"],
    ["main.Run.func1.2", "main.Run.func2.1"],
    ["Shop.<>c__DisplayClass5_0.<Run>b__1", "Shop.<>c__DisplayClass12_1.<Run>b__0"],
  ])("is the same for the functions %s and %s, which compilers number", (one, other) => {
    const of = (name: string) => fingerprint("m", { frames: [{ function: name, inApp: true }] });
    expect(of(one)).toBe(of(other));
  });

  it.each([
    ["handleV1", "handleV2"],
    ["base64", "base32"],
    ["lambda$run$2", "lambda$stop$2"],
  ])("differs for the functions %s and %s", (one, other) => {
    const of = (name: string) => fingerprint("m", { frames: [{ function: name, inApp: true }] });
    expect(of(one)).not.toBe(of(other));
  });

  it("is the same for messages of one template", () => {
    const told = (user: string) => fingerprint(`${user} has 3 orders`, { template: "{} has {} orders" });
    expect(told("ann")).toBe(told("bob"));
    expect(told("ann")).not.toBe(fingerprint("ann has 3 orders"));
    const other = fingerprint("ann has 3 orders", { template: "{} has {} baskets" });
    expect(told("ann")).not.toBe(other);
  });

  it("reads {{ default }} with any number of inner blanks as the default fingerprint", () => {
    for (const part of ["{{default}}", "{{ default }}", "{{  default  }}"])
      expect(fingerprint("m", { grouping: [part] })).toBe(fingerprint("m"));
    for (const part of ["{{ defaults }}", "x{{ default }}", "{ default }", "{{ default }}x", "default"])
      expect(fingerprint("m", { grouping: [part] })).not.toBe(fingerprint("m"));
  });

  it("drops tags with too long names or control characters, and truncates long values", () => {
    const tagsOf = (name: string, value: string) =>
      occurrenceOf({ source: "client", type: "E", message: "", frames: [], at: NOW, tags: [[name, value]] })
        .tags;
    expect(tagsOf(x(100), "v")).toEqual({ [x(100)]: "v" });
    expect(tagsOf(x(101), "v")).toBeUndefined();
    expect(tagsOf("a", "v\u0007")).toBeUndefined();
    expect(tagsOf("a", "=")).toEqual({ a: "=" });
    expect(tagsOf(" a", "v ")).toEqual({ a: "v" });
    expect(Object.entries(tagsOf("a", x(300)) ?? {})).toEqual([["a", `${x(197)}…`]]);
  });
});

describe("toldBy()", () => {
  it.each([
    ["https://shop.example#a", "/"],
    ["https://shop.example?a", "/"],
    ["ws://shop.example/a", "/a"],
    ["/go/http://other.example/a", "/go/http://other.example/a"],
    ["go?http://other.example/a", "go"],
    ["app-1://x/a", "app-1://x/a"],
    ["//shop.example/a", "//shop.example/a"],
    ["https:/a", "https:/a"],
    ["#a", "/"],
  ])("turns the URL %s into the route %s", (url, route) =>
    expect(toldBy({ request: { url } }, NOW).route).toBe(route),
  );

  it("reads the last 1,000 entries of a list, and the last 50 frames", () => {
    const many = Array.from({ length: 1001 }, (_, index) => `p${index}`);
    expect(toldBy({ fingerprint: many }, NOW).grouping).toEqual(many.slice(1));
    const tags = many.map((name) => [name, "v"]);
    expect(toldBy({ tags }, NOW).tags).toEqual(tags.slice(1));
    const exceptions = many.map((type) => ({ type }));
    expect(toldBy({ exception: exceptions }, NOW).type).toBe("p1000");
    const frames = many.map((name) => ({ function: name }));
    const { frames: found } = toldBy({ exception: [{ stacktrace: { frames } }] }, NOW);
    expect(found.map(({ function: name }) => name)).toEqual(many.slice(-50).reverse());
  });

  it("takes a valid timestamp that is not in the future, and otherwise the current time", () => {
    const at = (timestamp: unknown) => NOW - toldBy({ timestamp }, NOW).at;
    expect([at(NOW / 1000), at((NOW - 1) / 1000), at((NOW + 1) / 1000)]).toEqual([0, 1, 0]);
    expect([at(new Date(NOW - 5000).toISOString()), at(Number.NaN), at("")]).toEqual([5000, 0, 0]);
    expect(at(NOW / 1000 - 0.0006)).toBe(1);
  });

  it("puts a time right by as much as the clock that sent it is wrong, if that is an hour or more", () => {
    const [minute, hour] = [60_000, 3_600_000];
    const ago = (at: number, sentAt: number) => NOW - toldBy({ timestamp: at / 1000 }, NOW, sentAt).at;
    for (const wrong of [-48 * hour, -hour, hour, 48 * hour]) {
      expect([wrong, ago(NOW + wrong - 5 * minute, NOW + wrong)]).toEqual([wrong, 5 * minute]);
    }
    expect(ago(NOW - hour, NOW - hour + 1)).toBe(hour);
    expect(ago(NOW - minute, NOW - 2 * hour)).toBe(minute);
  });
});
