import { Box } from "ink";
import { render } from "ink-testing-library";
import { afterEach, describe, expect, it } from "vitest";
import { LoginFrame } from "../../../src/cli/ui/login-frame.tsx";
import { loginFrames } from "../../../src/cli/ui/login-frames.tsx";
import { qrLines } from "../../../src/cli/ui/qr-code.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { type TestIoOptions, testIo } from "../support/io.ts";

const COMPLETE = "http://127.0.0.1:4242/device?user_code=BCDF-GHJK";
const apps: ReturnType<typeof render>[] = [];
afterEach(() => {
  for (const app of apps.splice(0)) app.unmount();
});

function show(options: TestIoOptions & { trouble?: string; clock?: FakeClock } = {}) {
  const clock = options.clock ?? fakeClock();
  const app = render(
    // The terminal of ink-testing-library has 100 columns.
    <Box width={options.columns ?? 80}>
      <LoginFrame
        output={testIo({ terminal: true, ...options }).io.out}
        baseUrl="http://127.0.0.1:4242"
        clock={clock}
        prompt={{
          userCode: "BCDF-GHJK",
          verificationUri: "http://127.0.0.1:4242/device",
          verificationUriComplete: COMPLETE,
          expiresAt: clock.now() + 872_000,
        }}
        qr={qrLines(COMPLETE)}
        trouble={options.trouble}
      />
    </Box>,
  );
  apps.push(app);
  return { app, clock, lines: () => (app.lastFrame() ?? "").split("\n") };
}

describe("the sign-in frame", () => {
  it("has address, code, QR code and countdown on 80 by 24", () => {
    const { lines } = show();
    expect(lines().slice(0, 5)).toEqual([
      "  Sign in to http://127.0.0.1:4242",
      "",
      "  Open   http://127.0.0.1:4242/device",
      "  Enter  BCDF-GHJK",
      "",
    ]);
    for (const row of qrLines(COMPLETE)) expect(lines().some((line) => line.includes(row))).toBe(true);
    expect(lines().some((line) => line.endsWith("      or scan this with your phone"))).toBe(true);
    expect(lines().at(-1)).toMatch(/^ {2}⠋ Waiting for approval {3}14:32 left +ctrl\+c cancels$/);
    expect(lines().length).toBeLessThan(24);
  });

  it("counts down and spins as time goes by", async () => {
    const { lines, clock } = show();
    await settled();
    clock.advance(125);
    await settled();
    expect(lines().at(-1)).toContain("⠙");
    clock.advance(60_000);
    await settled();
    expect(lines().at(-1)).toContain("13:32 left");
  });

  it("has room for the QR code at 40 columns", () => {
    const { lines } = show({ columns: 40 });
    expect(lines()).toContain("  or scan this with your phone");
    for (const row of qrLines(COMPLETE)) expect(lines()).toContain(`  ${row}`);
    expect(lines().length).toBeLessThan(24);
  });

  it("leaves the cursor a row of its own, however low and narrow the terminal is", () => {
    for (const columns of [20, 27, 33, 40, 64, 80, 120]) {
      for (const rows of [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30]) {
        const { app, lines } = show({ columns, rows });
        expect([columns, rows, lines().length < rows]).toEqual([columns, rows, true]);
        app.unmount();
      }
    }
  });

  it("says the code and the time where it is made too low for more", () => {
    expect(show({ rows: 4 }).lines()).toEqual(["  BCDF-GHJK   14:32 left"]);
  });

  it.each([
    ["narrow", { columns: 32 }, "it needs 33 columns, this terminal has 32."],
    ["low", { rows: 16 }, "this terminal has 16."],
  ])("keeps every word in a %s terminal and says why the QR code is not there", (_, size, reason) => {
    const text = show(size).lines().join(" ").replaceAll(/\s+/g, " ");
    expect(text).toContain("Open http://127.0.0.1:4242/device");
    expect(text).toContain("Enter BCDF-GHJK");
    expect(text).toContain(reason);
    expect(text).toContain("14:32 left");
    expect(text).not.toMatch(/[▀▄]/);
  });

  it("says what troubles it, and goes on", () => {
    const { lines } = show({ trouble: "http://127.0.0.1:4242 cannot be reached." });
    expect(lines().at(-1)).toContain("cannot be reached. Trying again.");
    expect(lines().at(-1)).toContain("14:32 left");
  });

  it("makes do with ASCII", () => {
    const { app } = show({ unicode: false });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the frame may contain escape sequences
    expect(app.lastFrame()).toMatch(/^[\u0000-\u007f]*$/);
  });
});

/** Waits for React's effects and timers, which run after the current task. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60));
}

describe("the sign-in in a terminal that is too low for the frame", () => {
  it("is lines that stay, and redraws nothing", () => {
    const { io, written } = testIo({ terminal: true, rows: 4 });
    const clock = fakeClock();
    const view = loginFrames(io.err, "http://127.0.0.1:4242", clock);
    const prompt = {
      userCode: "BCDF-GHJK",
      verificationUri: "http://127.0.0.1:4242/device",
      verificationUriComplete: COMPLETE,
      expiresAt: clock.now() + 872_000,
    };
    view.show({ kind: "prompt", prompt, intervalSeconds: 5 });
    view.show({ kind: "trouble", message: "The server is away", intervalSeconds: 5 });
    view.end();
    expect(written.err.split("\n")).toEqual([
      "  Sign in to http://127.0.0.1:4242",
      "  Open   http://127.0.0.1:4242/device",
      "  Enter  BCDF-GHJK",
      `  Or open ${COMPLETE}`,
      "  Waiting for approval.",
      "  The server is away. Trying again until the code expires.",
      "",
    ]);
  });
});
