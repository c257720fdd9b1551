import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingRangeOf, holdsAddress } from "../../../src/accounts/credentials/address-ranges.ts";
import { beyond, holdsTool } from "../../../src/accounts/credentials/binding.ts";

interface Written {
  /** One of the address's notations. */
  text: string;
  value: bigint;
  width: 32 | 128;
}

const ipv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map(
  (value): Written => ({
    text: [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join("."),
    value,
    width: 32,
  }),
);

/** IPv6 addresses without IPv4-mapped ones. */
const ipv6 = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), fc.boolean())
  .filter(([groups]) => !(groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff))
  .map(([groups, upper]): Written => {
    const text = groups.map((group) => group.toString(16)).join(":");
    const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
    return { text: upper ? text.toUpperCase() : text, value, width: 128 };
  });

const address = fc.oneof(ipv4, ipv6);
const range = address.chain((written) =>
  fc.integer({ min: 0, max: written.width }).map((bits) => ({ ...written, bits })),
);

function isIn(one: Written, { value, width, bits }: Written & { bits: number }): boolean {
  const shift = BigInt(width - bits);
  return one.width === width && one.value >> shift === value >> shift;
}

const written = (ranges: readonly (Written & { bits: number })[]) =>
  ranges.map(({ text, bits }) => `${text}/${bits}`);

describe("holdsAddress()", () => {
  it("agrees with integer arithmetic for random ranges and addresses", () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 5 }), address, (ranges, one) => {
        expect(holdsAddress(written(ranges), one.text)).toBe(ranges.some((each) => isIn(one, each)));
      }),
      { numRuns: 300 },
    );
  });

  it("includes both ends of a range and excludes the addresses next to them", () => {
    fc.assert(
      fc.property(range, fc.constantFrom(-1n, 0n, 1n), fc.boolean(), (each, step, atEnd) => {
        const size = 1n << BigInt(each.width - each.bits);
        const start = (each.value / size) * size;
        const value = (atEnd ? start + size - 1n : start) + step;
        if (value < 0n || value >= 1n << BigInt(each.width)) return;
        const one = { text: textOf(value, each.width), value, width: each.width };
        if (/^0:0:0:0:0:ffff:/.test(one.text)) return;
        expect(holdsAddress(written([each]), one.text)).toBe(isIn(one, each));
      }),
      { numRuns: 300 },
    );
  });

  it("distinguishes lists that read the same when concatenated", () => {
    const one = ["1.1.1.1", "11.1.1.1"];
    const other = ["1.1.1.11", "1.1.1.1"];
    for (let time = 0; time < 2; time++) {
      expect(holdsAddress(one, "11.1.1.1")).toBe(true);
      expect(holdsAddress(other, "11.1.1.1")).toBe(false);
      expect(holdsAddress(other, "1.1.1.11")).toBe(true);
    }
  });

  it("ignores an invalid range, which contains nothing and lies within nothing", () => {
    const addresses = ["nonsense", "10.0.0.0/8"];
    expect(holdsAddress(addresses, "10.1.2.3")).toBe(true);
    expect(holdsAddress(addresses, "192.0.2.1")).toBe(false);
    expect(beyond({ addresses }, { addresses: ["10.1.0.0/16"] })).toBeUndefined();
    expect(beyond({ addresses }, { addresses: ["192.0.2.1"] })).toBe("addresses");
    expect(beyond({ addresses: ["10.0.0.0/8"] }, { addresses })).toBe("addresses");
  });

  it("treats IPv4-mapped IPv6 addresses as IPv4, which no IPv6 range contains", () => {
    for (const mapped of ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:c000:0201"]) {
      expect(holdsAddress(["192.0.2.0/24"], mapped)).toBe(true);
      expect(holdsAddress(["::/0"], mapped)).toBe(false);
    }
    expect(holdsAddress(["::/0"], "192.0.2.1")).toBe(false);
    expect(holdsAddress(["0.0.0.0/0"], "2001:db8::1")).toBe(false);
  });

  it.each(["", "unknown", "localhost", "192.0.2.1, 192.0.2.2", "192.0.2", "192.0.2.1\n"])(
    "rejects the invalid address %j",
    (text) => {
      expect(holdsAddress(["0.0.0.0/0", "::/0"], text)).toBe(false);
    },
  );

  it("ignores the zone of an IPv6 address", () => {
    expect(holdsAddress(["fe80::/10"], "fe80::1%eth0")).toBe(true);
    expect(holdsAddress(["192.0.2.0/24"], "fe80::1%192.0.2.1")).toBe(false);
  });

  it.each([
    "192.0.2.1/33",
    "192.0.2.1/-1",
    "192.0.2.1/08",
    "192.0.2.1/",
    "192.0.2.1/24/24",
    "2001:db8::/129",
    "::ffff:192.0.2.0/120",
    "fe80::1%eth0",
    "192.0.2",
    "example.com",
    " 192.0.2.1",
  ])("rejects the invalid range %j", (text) => {
    expect(bindingRangeOf(text)).toBeUndefined();
  });
});

describe("holdsTool()", () => {
  const name = fc.stringMatching(/^[a-z]{1,3}[._/][a-z]{1,3}$/);

  it("matches exact names and prefix patterns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.nat(7), fc.boolean()), { minLength: 1 }),
        name,
        (parts, asked) => {
          const tools = parts.map(([text, length, isPattern]) =>
            isPattern ? `${text.slice(0, Math.max(1, length))}*` : text,
          );
          const expected = parts.some(([text, length, isPattern]) =>
            isPattern ? asked.indexOf(text.slice(0, Math.max(1, length))) === 0 : text === asked,
          );
          expect(holdsTool(tools, [asked])).toBe(expected);
        },
      ),
    );
  });
});

describe("beyond()", () => {
  it("allows no address that the creator's binding lacks", () => {
    const few = fc.array(range, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, few, address, (outer, inner, one) => {
        const passes = beyond({ addresses: written(outer) }, { addresses: written(inner) }) === undefined;
        if (passes && inner.some((each) => isIn(one, each)))
          expect(outer.some((each) => isIn(one, each))).toBe(true);
        expect(beyond({ addresses: written(outer) }, { addresses: written(outer) })).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [{ tools: ["usage*"] }, { tools: ["usage.track", "usage.b*"] }, undefined],
    [{ tools: ["usage*"] }, { tools: ["usa*"] }, "tools"],
    [{ tools: ["usage.track"] }, { tools: ["usage.track*"] }, "tools"],
    [{ tools: ["usage*"] }, {}, "tools"],
    [{ addresses: ["10.0.0.0/8"] }, { addresses: ["10.1.0.0/16", "10.2.3.4"] }, undefined],
    [{ addresses: ["10.0.0.0/8"] }, { addresses: ["0.0.0.0/0"] }, "addresses"],
    [{ addresses: ["10.0.0.0/8"] }, { addresses: ["10.1.0.0/16", "192.0.2.1"] }, "addresses"],
    [{ tools: ["usage*"] }, { tools: ["usage.track", "agents.list"] }, "tools"],
    [{ addresses: ["0.0.0.0/0"] }, { addresses: ["::1"] }, "addresses"],
    [{ addresses: ["10.0.0.0/8"] }, {}, "addresses"],
    [{ projectId: "web" }, { projectId: "shop" }, "projectId"],
    [{ projectId: "web" }, { projectId: "web", tools: ["usage*"] }, undefined],
    [{}, { tools: ["usage*"] }, undefined],
  ])("from %j to %j returns %j", (outer, inner, member) => {
    expect(beyond(outer, inner)).toBe(member);
  });
});

function textOf(value: bigint, width: 32 | 128): string {
  const [size, count, radix, glue] =
    width === 32 ? ([8n, 4, 10, "."] as const) : ([16n, 8, 16, ":"] as const);
  const parts = Array.from({ length: count }, (_, index) => value >> (size * BigInt(count - 1 - index)));
  return parts.map((part) => (part & ((1n << size) - 1n)).toString(radix)).join(glue);
}
