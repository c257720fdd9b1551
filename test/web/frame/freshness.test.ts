import type { Response } from "express";
import { expect, it } from "vitest";
import type { SignedIn } from "../../../src/accounts/sign-in/sign-in.ts";
import { createFreshness } from "../../../src/web/console/frame/freshness.ts";
import { fakeClock } from "../../support/clock.ts";

it("sends a change that came while the browser did not read, once it reads again", async () => {
  const clock = fakeClock();
  const freshness = createFreshness(clock);
  const sent: string[] = [];
  const response = {
    writableNeedDrain: false,
    once: () => response,
    set: () => response,
    flushHeaders: () => {},
    write: (text: string) => sent.push(text),
    end: () => {},
  };
  let page = "dark";
  const signedIn = { account: { id: "acc_1" } } as SignedIn;
  const following = freshness.follow(signedIn, response as unknown as Response, async () => page);
  const later = async () => {
    clock.advance(5000);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return sent.splice(0);
  };
  expect(await later()).toEqual(["data: dark\n\n"]);
  expect(await later()).toEqual([":\n\n"]);
  response.writableNeedDrain = true;
  page = "lit";
  expect(await later()).toEqual([]);
  response.writableNeedDrain = false;
  expect(await later()).toEqual(["data: lit\n\n"]);
  freshness.stop();
  await following;
});
