import { expect, it } from "vitest";
import type { SignedIn } from "../../../src/accounts/sign-in/sign-in.ts";
import { createFreshness } from "../../../src/web/console/frame/freshness.ts";
import { fakeClock } from "../../support/clock.ts";

const signedIn = { account: { id: "acc_1" } } as SignedIn;

it("yields a change that came while the browser did not read, once it reads again", async () => {
  const clock = fakeClock();
  const freshness = createFreshness(clock);
  let page = "dark";
  const { signal } = new AbortController();
  const { body } = freshness.follow(signedIn, signal, async () => page);
  const changes = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const next = async () => {
    const asked = changes.next();
    clock.advance(5000);
    return (await asked).value;
  };
  expect(await next()).toBe("data: dark\n\n");
  expect(await next()).toBe(":\n\n");
  // Nobody asks.
  clock.advance(5000);
  page = "lit";
  expect(await next()).toBe("data: lit\n\n");
  freshness.stop();
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});

it("frees the place of a browser that has gone, and after an hour, also if it never read", async () => {
  const clock = fakeClock();
  const freshness = createFreshness(clock);
  const follow = () => {
    const gone = new AbortController();
    freshness.follow(signedIn, gone.signal, async () => "page");
    return gone;
  };
  const followed = Array.from({ length: 10 }, follow);
  expect(follow).toThrow("Many pages are followed");
  followed[0]?.abort();
  expect(follow).not.toThrow();
  clock.advance(60 * 60_000);
  await Promise.resolve();
  expect(follow).not.toThrow();
  freshness.stop();
});
