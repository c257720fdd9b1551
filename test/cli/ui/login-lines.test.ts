import { describe, expect, it } from "vitest";
import { loginLines } from "../../../src/cli/ui/login-lines.ts";
import { fakeClock } from "../../support/clock.ts";
import { testIo } from "../support/io.ts";

describe("loginLines()", () => {
  it.each([
    ["http://127.0.0.1:4242 cannot be reached: nothing listens there", "nothing listens there. Trying again"],
    ["The server is busy.", "The server is busy. Trying again"],
    ["Is it up?", "Is it up? Trying again"],
  ])("reports %s and the retry as two sentences, once", (message, said) => {
    const { io, written } = testIo();
    const view = loginLines(io.err, "http://127.0.0.1:4242", fakeClock());
    for (let polls = 0; polls < 2; polls++) view.show({ kind: "trouble", intervalSeconds: 5, message });
    expect(written.err).toContain(`${said} until the code expires.\n`);
    expect(written.err.match(/Trying again/g)).toHaveLength(1);
  });

  it.each([
    [undefined, "Too many ask http://127.0.0.1:4242 for a code just now. Trying again in 5 s."],
    ["The store does not answer", "The store does not answer. Trying again in 5 s."],
  ])("says why there is no code yet (%s)", (message, said) => {
    const { io, written } = testIo();
    const clock = fakeClock();
    loginLines(io.err, "http://127.0.0.1:4242", clock).show({
      kind: "held",
      until: clock.now() + 5000,
      message,
    });
    expect(written.err).toContain(said);
  });
});
