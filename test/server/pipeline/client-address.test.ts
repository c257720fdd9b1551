import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { addressReader, subjectOf } from "../../../src/server/pipeline/client-address.ts";

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  return {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage;
}

describe("the client's address", () => {
  it("is the socket's if no proxy is trusted, and forwarding headers are ignored", () => {
    expect(addressReader(undefined)(from("::ffff:192.0.2.7", "203.0.113.9"))).toBe("192.0.2.7");
  });

  it("is the one that the configured number of proxies vouches for", () => {
    const read = addressReader("1");
    expect(read(from("127.0.0.1", "198.51.100.1, 203.0.113.9"))).toBe("203.0.113.9");
    expect(addressReader("2")(from("127.0.0.1", "198.51.100.1, 203.0.113.9"))).toBe("198.51.100.1");
    expect(addressReader("5")(from("127.0.0.1", "198.51.100.1"))).toBe("198.51.100.1");
  });

  it("skips trusted networks from the near end", () => {
    const read = addressReader("127.0.0.0/8, 10.0.0.0/8, fd00::/8");
    expect(read(from("10.1.2.3", "198.51.100.1, 203.0.113.9, 10.9.9.9"))).toBe("203.0.113.9");
    expect(read(from("203.0.113.50", "198.51.100.1"))).toBe("203.0.113.50");
  });

  it("ignores entries behind an invalid one", () => {
    expect(addressReader("3")(from("127.0.0.1", "198.51.100.1, nonsense, 203.0.113.9"))).toBe("203.0.113.9");
    expect(addressReader("1")(from("127.0.0.1", "<script>"))).toBe("127.0.0.1");
  });

  it("may have ports and brackets", () => {
    expect(addressReader("1")(from("127.0.0.1", "198.51.100.1:4711"))).toBe("198.51.100.1");
    expect(addressReader("1")(from("127.0.0.1", "[2001:db8::1]:4711"))).toBe("2001:db8::1");
  });

  it("refuses a --trust-proxy that is neither hops nor networks", () => {
    for (const wrong of [
      "yes",
      "10.0.0.0/33",
      "::1/129",
      "10.0.0.0/8/8",
      "fe80::1%eth0",
      "-1",
      "",
      true as unknown as string,
    ]) {
      expect(() => addressReader(wrong)).toThrow("--trust-proxy");
    }
  });
});

describe("subjectOf()", () => {
  it("tells IPv4 hosts apart", () => {
    expect(subjectOf("192.0.2.7")).not.toBe(subjectOf("192.0.2.8"));
  });

  it("groups IPv6 addresses by /64, in any notation", () => {
    expect(subjectOf("2001:db8:0:1::5")).toBe(subjectOf("2001:0db8:0:1:ffff:0:0:9"));
    expect(subjectOf("2001:db8:0:1::5")).not.toBe(subjectOf("2001:db8:0:2::5"));
    expect(subjectOf("::1")).toBe("address/0:0:0:0::/64");
    expect(subjectOf("fe80::1%eth0")).toBe("address/fe80:0:0:0::/64");
  });
});
