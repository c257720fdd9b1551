import { render } from "ink-testing-library";
import { afterEach, describe, expect, it } from "vitest";
import { ServeFrame } from "../../../../src/cli/ui/serve/serve-frame.tsx";
import { createTraffic, type Measure } from "../../../../src/cli/ui/serve/traffic.ts";
import { fakeClock } from "../../../support/clock.ts";
import { HOSTILE } from "../../support/hostile-server.ts";
import { hostileIn } from "../../support/hostile-text.ts";
import { testIo } from "../../support/io.ts";

const apps: ReturnType<typeof render>[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.unmount();
});

function show(measure: Measure) {
  const clock = fakeClock();
  const traffic = createTraffic();
  const notes: string[] = [];
  const { io } = testIo({ terminal: true });
  const app = render(<ServeFrame {...{ output: io.out, clock, traffic, notes, measure }} />);
  apps.push(app);
  const request = (path: string, account?: string) =>
    traffic.observe({
      at: clock.now(),
      method: "GET",
      path,
      status: 200,
      ms: 4,
      account,
      requestId: "req_1",
    });
  return { app, clock, notes, request };
}

describe("the live view of a server", () => {
  it("writes each request once, above a footer of figures", async () => {
    const { app, clock, request } = show(async () => ({ storeBytes: 1_234_567, devicesWaiting: 1 }));
    await settled();
    for (let index = 0; index < 30; index++) request(`/path/${index}`);
    clock.advance(250);
    await settled();
    const written = app.frames.join("\n");
    expect(written.match(/GET {4}\/path\/29 /g)).toHaveLength(1);
    expect(written).toContain("… 10 more requests");
    expect(app.lastFrame()?.trim()).toBe(
      "3 requests/s · p99 4.0 ms · 1 device waiting · store 1.2 MiB · ctrl+c stops",
    );
  });

  it("shows warnings among the requests", async () => {
    const { app, clock, notes } = show(async () => ({ storeBytes: 0, devicesWaiting: 0 }));
    await settled();
    notes.push("  ! tokens travel unencrypted");
    clock.advance(250);
    await settled();
    expect(app.frames.join("\n")).toContain("! tokens travel unencrypted");
    expect(notes).toEqual([]);
  });

  it("obeys nothing that a request, an account or a warning holds", async () => {
    const { app, clock, notes, request } = show(async () => ({ storeBytes: 0, devicesWaiting: 0 }));
    await settled();
    request(`/${HOSTILE}`, HOSTILE);
    notes.push(HOSTILE);
    clock.advance(250);
    await settled();
    const written = app.frames.join("\n");
    expect(written).toContain("evil");
    expect(hostileIn(written, true)).toEqual([]);
  });

  it("goes on where the store does not say how large it is", async () => {
    const { app, clock, request } = show(() => Promise.reject(new Error("the database is away")));
    await settled();
    request("/health");
    clock.advance(2000);
    await settled();
    expect(app.lastFrame()?.trim()).toBe("0.1 requests/s · p99 4.0 ms · ctrl+c stops");
  });
});

/** Waits for React's effects and timers, which run after the current task. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60));
}
