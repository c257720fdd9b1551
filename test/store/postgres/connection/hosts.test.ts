import { describe, expect, it } from "vitest";
import { Hosts } from "../../../../src/store/postgres/connection/hosts.ts";

describe("the hosts of a URL", () => {
  it("are tried in turn, with everything else that the URL says", () => {
    const hosts = new Hosts("postgres://me:a,b@first:5433,second,third:1/data?sslmode=require&x=a,b");
    const seen = [hosts.url];
    for (let tries = 0; tries < hosts.count; tries++) {
      hosts.miss(hosts.url);
      seen.push(hosts.url);
    }
    const url = (host: string) => `postgres://me:a,b@${host}/data?sslmode=verify-full&x=a,b`;
    expect(seen).toEqual(["first:5433", "second", "third:1", "first:5433"].map(url));
  });

  it("are spoken to with TLS as the driver understands the URL, which it says once more at each start", () => {
    const with_ = (settings: string) => new Hosts(`postgres://h/d?${settings}`).url.split("?")[1];
    for (const mode of ["prefer", "require", "verify-ca", "verify-full"])
      expect(with_(`a=b&sslmode=${mode}`)).toBe("a=b&sslmode=verify-full");
    for (const mode of ["disable", "no-verify", "require&uselibpqcompat=true"])
      expect(with_(`sslmode=${mode}`)).toBe(`sslmode=${mode}`);
  });

  it("are left once for all who miss the same", () => {
    const hosts = new Hosts("postgres://a,b/data");
    const { url } = hosts;
    hosts.miss(url);
    hosts.miss(url);
    expect(hosts.url).toBe("postgres://b/data");
  });

  it("are one where it names one, which stays as it is written", () => {
    for (const url of ["postgres://me@h:1/d", "postgresql:///d?host=/run,x", "postgres://h"]) {
      const hosts = new Hosts(url);
      hosts.miss(url);
      expect([hosts.count, hosts.url]).toEqual([1, url]);
    }
  });
});
