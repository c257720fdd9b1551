import { describe, expect, it } from "vitest";
import {
  createPost,
  type Deliver,
  type Letter,
  type LetterOutcome,
  RecipientRefused,
  Undeliverable,
} from "../../src/mail/post.ts";
import { fakeClock } from "../support/clock.ts";

const LETTER: Letter = { to: "ada@example.com", subject: "Hello", text: "Hello, Ada." };

function postWith(deliver: Deliver) {
  const clock = fakeClock();
  const told: string[] = [];
  const details: object[] = [];
  const outcomes: LetterOutcome[] = [];
  const post = createPost({
    deliver,
    clock,
    log: {
      warn(about, text) {
        details.push(about);
        told.push(text ?? "");
      },
    },
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  return { post, clock, told, details, outcomes, write: async () => LETTER };
}

/** Lets pending work run as far as it can without time passing. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("the mail queue", () => {
  it("retries with growing pauses and writes the letter once", async () => {
    let written = 0;
    const attempts: Letter[] = [];
    const { post, clock, told } = postWith(async (letter) => {
      attempts.push(letter);
      if (attempts.length < 4) throw new Error("connection refused");
    });
    post.send(async () => {
      written++;
      return LETTER;
    });
    await idle();
    expect(attempts).toHaveLength(1);
    for (const [pause, made] of [
      [2_000, 2],
      [15_000, 3],
      [60_000, 4],
    ] as const) {
      clock.advance(pause - 1);
      await idle();
      expect(attempts).toHaveLength(made - 1);
      clock.advance(1);
      await idle();
      expect(attempts).toHaveLength(made);
    }
    expect([written, attempts[3], told]).toEqual([
      1,
      LETTER,
      ["a letter waits", "a letter waits", "a letter waits"],
    ]);
  });

  it("gives up after five attempts, and at once if the letter is undeliverable", async () => {
    for (const [error, most] of [
      [new Error("timed out"), 5],
      [new Undeliverable("550 no such mailbox"), 1],
    ] as const) {
      let attempts = 0;
      const { post, clock, told, details, outcomes, write } = postWith(async () => {
        attempts++;
        throw error;
      });
      post.send(write);
      for (let minute = 0; minute < 30; minute++) {
        await idle();
        clock.advance(60_000);
      }
      expect([attempts, told.at(-1), outcomes.at(-1)]).toEqual([most, "a letter was given up", "failed"]);
      expect(details.at(-1)).toMatchObject({ to: LETTER.to, attempt: most });
    }
  });

  it("reports the outcome of each attempt and the age of the oldest letter", async () => {
    const answers: (Error | undefined)[] = [
      new Error("busy"),
      undefined,
      new RecipientRefused("550"),
      undefined,
    ];
    const { post, clock, outcomes, write } = postWith(async () => {
      const error = answers.shift();
      if (error) throw error;
    });
    expect(post.underWay()).toEqual({ letters: 0, oldestMs: 0 });
    post.send(write);
    await idle();
    clock.advance(1_500);
    expect(post.underWay()).toEqual({ letters: 1, oldestMs: 1_500 });
    clock.advance(500);
    await idle();
    expect(post.underWay()).toEqual({ letters: 0, oldestMs: 0 });
    post.send(write);
    post.send(async () => undefined);
    await idle();
    expect(outcomes).toEqual(["retried", "sent", "refused"]);
    expect(post.underWay().letters).toBe(0);
  });

  it("delivers four letters at a time, queues 1,000 in all and refuses more", async () => {
    let held = 0;
    const { post, write } = postWith(async () => {
      held++;
      await new Promise(() => {});
    });
    for (let sent = 0; sent < 998; sent++) post.send(write);
    expect([1, 2, 3].map((letters) => post.takesMore(letters))).toEqual([true, true, false]);
    const taken = Array.from({ length: 4 }, () => post.send(write));
    await idle();
    expect([held, taken, post.takesMore()]).toEqual([4, [true, true, false, false], false]);
  });

  it("accepts letters again once others are sent, and skips those without content", async () => {
    const delivered: string[] = [];
    const { post } = postWith(async ({ to }) => void delivered.push(to));
    for (let index = 0; index < 1_000; index++) {
      post.send(async () => (index % 2 ? undefined : { ...LETTER, to: `${index}@example.com` }));
    }
    await idle();
    while (!post.takesMore() || delivered.length < 500) await idle();
    expect(new Set(delivered).size).toBe(500);
  });

  it("delivers nothing after close(), and logs how many letters that discards, and to whom", async () => {
    let attempts = 0;
    const { post, clock, told, details, write } = postWith(async () => {
      attempts++;
      throw new Error("away");
    });
    post.send(write);
    await idle();
    post.close();
    clock.advance(600_000);
    await idle();
    expect([attempts, post.send(write)]).toEqual([1, false]);
    expect([details.at(-1), told.at(-1)]).toEqual([
      { letters: 1, to: [LETTER.to] },
      "letters were discarded, since the server stops",
    ]);
  });
});
