import { describe, expect, it } from "vitest";
import { Hosts } from "../../../../src/store/postgres/connection/hosts.ts";

describe("the hosts of a URL", () => {
  it("are tried in turn, each with the rest of the URL", () => {
    const hosts = new Hosts("postgres://me:a,b@first:5433,second,third:1/data?sslmode=require&x=a,b");
    const seen = [hosts.url];
    for (let tries = 0; tries < hosts.count; tries++) {
      hosts.miss(hosts.url);
      seen.push(hosts.url);
    }
    const url = (host: string) => `postgres://me:a,b@${host}/data?sslmode=verify-full&x=a,b`;
    expect(seen).toEqual(["first:5433", "second", "third:1", "first:5433"].map(url));
  });

  it("get sslmode verify-full for prefer, require and verify-ca, and keep other modes", () => {
    const with_ = (settings: string) => new Hosts(`postgres://h/d?${settings}`).url.split("?")[1];
    for (const mode of ["prefer", "require", "verify-ca", "verify-full"])
      expect(with_(`a=b&sslmode=${mode}`)).toBe("a=b&sslmode=verify-full");
    for (const mode of ["disable", "no-verify", "require&uselibpqcompat=true"])
      expect(with_(`sslmode=${mode}`)).toBe(`sslmode=${mode}`);
  });

  it("are skipped once if several callers miss the same host", () => {
    const hosts = new Hosts("postgres://a,b/data");
    const { url } = hosts;
    hosts.miss(url);
    hosts.miss(url);
    expect(hosts.url).toBe("postgres://b/data");
  });

  it("keep a URL with a single host exactly as written", () => {
    for (const url of ["postgres://me@h:1/d", "postgresql:///d?host=/run,x", "postgres://h"]) {
      const hosts = new Hosts(url);
      hosts.miss(url);
      expect([hosts.count, hosts.url]).toEqual([1, url]);
    }
  });
});
