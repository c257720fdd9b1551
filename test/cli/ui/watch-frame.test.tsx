import { render } from "ink-testing-library";
import { afterEach, describe, expect, it } from "vitest";
import { type Watched, WatchFrame } from "../../../src/cli/ui/watch-frames.tsx";
import { fakeClock } from "../../support/clock.ts";
import { testIo } from "../support/io.ts";

const apps: ReturnType<typeof render>[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.unmount();
});

const SESSION: NonNullable<Watched["session"]> = {
  id: "pair_1",
  title: "Fix the parser\u001b[2J",
  state: "active",
  participants: [
    { id: "alice", role: "driver" },
    ...["bob", "carol", "dave", "erin", "frank", "grace", "heidi"].map((id) => ({
      id,
      role: "navigator" as const,
    })),
  ],
  sequence: 3,
  oldestSequence: 1,
  createdAt: "2026-01-15T12:00:00.000Z",
  updatedAt: "2026-01-15T12:00:00.000Z",
};

function show(watched: Watched) {
  const clock = fakeClock();
  const { io } = testIo({ terminal: true });
  const app = render(<WatchFrame {...{ output: io.out, clock, watched }} />);
  apps.push(app);
  return { app, clock };
}

describe("the live view of a session", () => {
  it("says who drives, under the changes, which are written once", async () => {
    const watched: Watched = { lines: ["  alice a.txt"], session: SESSION, trouble: undefined };
    const { app, clock } = show(watched);
    await settled();
    for (let frames = 0; frames < 5; frames++) {
      clock.advance(125);
      await settled();
    }
    expect(app.frames.join("\n").match(/alice a\.txt/g)).toHaveLength(1);
    expect(app.lastFrame()).toContain("Fix the parser␛[2J");
    expect(app.lastFrame()).toContain(
      "alice drives · bob, carol, dave, erin, frank, grace and 1 more navigate",
    );
    expect(app.lastFrame()).toContain("3 changes · ctrl+c stops");
  });

  it("says when the connection is lost, until it is there again", async () => {
    const watched: Watched = { lines: [], session: SESSION, trouble: "Not reachable. Trying again." };
    const { app, clock } = show(watched);
    await settled();
    expect(app.lastFrame()).toContain("! Not reachable. Trying again.");
    watched.trouble = undefined;
    clock.advance(125);
    await settled();
    expect(app.lastFrame()).not.toContain("Not reachable");
  });
});

/** Waits for React's effects and timers, which run after the current task. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60));
}
