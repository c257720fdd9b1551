import { describe, expect, it } from "vitest";
import { UnexpectedAnswer, Unreachable } from "../../../src/client/errors.ts";
import { type DeviceLoginState, deviceLogin } from "../../../src/client/sign-in/device-login.ts";
import { OAuthError } from "../../../src/contract/problem.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { hurryingClock } from "../support/clock.ts";

const AUTHORIZATION = {
  device_code: "the-device-code",
  user_code: "BCDF-GHJK",
  verification_uri: "https://example.com/device",
  verification_uri_complete: "https://example.com/device?user_code=BCDF-GHJK",
  expires_in: 900,
  interval: 5,
};
const TOKEN = { access_token: "tat_1", refresh_token: "trt_1", expires_in: 3600, scope: "read write" };

const pending = () => new OAuthError("authorization_pending", "not yet");
const slowDown = (headers?: Record<string, string>) =>
  new OAuthError("slow_down", "slower", headers && { status: 429, headers });
const lost = () => new Unreachable("https://example.com", "the connection was torn", { delivery: "unknown" });

/** Runs a sign-in against a server that gives each poll the next answer, and repeats the last. */
async function signIn(
  answers: unknown[],
  authorization: object = AUTHORIZATION,
  onPoll: (clock: FakeClock) => void = () => {},
) {
  const clock = hurryingClock();
  const polls: { at: number; fields: Record<string, string | undefined> }[] = [];
  const states: DeviceLoginState[] = [];
  let failure: unknown;
  const states$ = deviceLogin({
    clock,
    clientId: "tool-cli",
    scope: "read write",
    api: {
      baseUrl: "https://example.com",
      async form(path, fields) {
        if (path === "/auth/device/code") return authorization;
        const answer = answers[Math.min(polls.length, answers.length - 1)];
        polls.push({ at: clock.monotonic() / 1000, fields });
        onPoll(clock);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  });
  try {
    for await (const state of states$) states.push(state);
  } catch (error) {
    failure = error;
  }
  return { polls, states, kinds: states.map(({ kind }) => kind), failure, clock };
}

describe("deviceLogin", () => {
  it("shows the user code, polls at the interval, and ends with the credential", async () => {
    const { states, kinds, polls, clock } = await signIn([pending(), pending(), TOKEN]);
    expect(kinds).toEqual(["prompt", "waiting", "waiting", "approved"]);
    expect(states[0]).toEqual({
      kind: "prompt",
      intervalSeconds: 5,
      prompt: {
        userCode: "BCDF-GHJK",
        verificationUri: "https://example.com/device",
        verificationUriComplete: "https://example.com/device?user_code=BCDF-GHJK",
        expiresAt: clock.now() - 15_000 + 900_000,
      },
    });
    expect(polls.map(({ at }) => at)).toEqual([5, 10, 15]);
    expect(polls[0]?.fields).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: "the-device-code",
      client_id: "tool-cli",
    });
    expect(states.at(-1)).toEqual({
      kind: "approved",
      credential: {
        accessToken: "tat_1",
        refreshToken: "trt_1",
        expiresAt: clock.now() + 3_600_000,
        clientId: "tool-cli",
        scope: "read write",
      },
    });
  });

  it("never yields the device code", async () => {
    const { states } = await signIn([pending(), slowDown(), lost(), TOKEN]);
    expect(JSON.stringify(states)).not.toContain("the-device-code");
  });

  it("adds five seconds to the interval for each slow_down", async () => {
    const { kinds, polls } = await signIn([slowDown(), slowDown(), pending(), TOKEN]);
    expect(kinds).toEqual(["prompt", "slowed", "slowed", "waiting", "approved"]);
    expect(polls.map(({ at }) => at)).toEqual([5, 15, 30, 45]);
  });

  it("waits as long as Retry-After says if that is longer than the interval", async () => {
    const { polls } = await signIn([slowDown({ "retry-after": "40" }), TOKEN]);
    expect(polls.map(({ at }) => at)).toEqual([5, 45]);
  });

  it("polls after five seconds if the server names no interval", async () => {
    const { interval: _, ...rest } = AUTHORIZATION;
    expect((await signIn([TOKEN], rest)).polls[0]?.at).toBe(5);
  });

  it("keeps polling through faults of the network and the server, with growing pauses", async () => {
    const faults = [lost(), new OAuthError("server_error", "oops"), new UnexpectedAnswer(200, "a portal")];
    const { kinds, polls } = await signIn([...faults, lost(), pending(), TOKEN]);
    expect(kinds).toEqual(["prompt", "trouble", "trouble", "trouble", "trouble", "waiting", "approved"]);
    expect(polls.map(({ at }) => at)).toEqual([5, 15, 35, 65, 95, 100]);
  });

  it("resets the pause once the server answers", async () => {
    const { polls } = await signIn([lost(), lost(), pending(), lost(), pending(), TOKEN]);
    expect(polls.map(({ at }) => at)).toEqual([5, 15, 35, 40, 50, 55]);
  });

  it("keeps polling through faults until the code expires, with a last poll at that moment", async () => {
    const { failure, polls } = await signIn([lost()]);
    expect(failure).toMatchObject({ error: "expired_token" });
    expect(polls.at(-1)?.at).toBe(900);
  });

  it.each([0, 86_400_000, -86_400_000])(
    "polls and expires by the monotonic clock, if the wall clock jumps by %i ms at each poll",
    async (ms) => {
      const short = { ...AUTHORIZATION, expires_in: 12 };
      const { failure, clock, polls } = await signIn([pending()], short, (clock) => clock.jump(ms));
      expect(failure).toMatchObject({ name: "OAuthError", error: "expired_token" });
      expect(polls.map(({ at }) => at)).toEqual([5, 10, 12]);
      expect(clock.monotonic()).toBe(12_000);
    },
  );

  it.each(["access_denied", "expired_token", "invalid_grant", "invalid_client"] as const)(
    "ends with %s",
    async (code) => {
      const { failure, kinds } = await signIn([pending(), new OAuthError(code, "no")]);
      expect(failure).toMatchObject({ error: code });
      expect(kinds).toEqual(["prompt", "waiting"]);
    },
  );

  it("accepts no authorization without a code and no answer without a token", async () => {
    for (const name of ["device_code", "user_code", "verification_uri", "expires_in"]) {
      const { failure, kinds } = await signIn([TOKEN], { ...AUTHORIZATION, [name]: undefined });
      expect([name, failure, kinds]).toEqual([name, expect.any(UnexpectedAnswer), []]);
    }
    expect(
      (await signIn([{ token_type: "Bearer" }], { ...AUTHORIZATION, expires_in: 7 })).failure,
    ).toMatchObject({
      error: "expired_token",
    });
  });

  it.each([
    { verification_uri: "file:///etc/passwd" },
    { verification_uri: "example.com/device" },
    { verification_uri_complete: "javascript:alert(1)" },
    { verification_uri_complete: 5 },
  ])("refuses a verification address that is not a web page: %j", async (more) => {
    const { failure, states } = await signIn([TOKEN], { ...AUTHORIZATION, ...more });
    expect(failure).toMatchObject({
      name: "UnexpectedAnswer",
      message: expect.stringMatching(/no web page/),
    });
    expect(states).toEqual([]);
  });

  it("works without verification_uri_complete", async () => {
    const { verification_uri_complete: _, ...rest } = AUTHORIZATION;
    expect((await signIn([TOKEN], rest)).kinds).toEqual(["prompt", "approved"]);
  });

  it("repeats the request for a code but not for a token, and passes the signal to both", async () => {
    const { signal } = new AbortController();
    const asked: unknown[] = [];
    const states = deviceLogin({
      clock: hurryingClock(),
      clientId: "tool-cli",
      signal,
      api: {
        baseUrl: "https://example.com",
        async form(path, _, options) {
          asked.push([path, options]);
          return path === "/auth/device/code" ? AUTHORIZATION : TOKEN;
        },
      },
    });
    for await (const _ of states);
    expect(asked).toEqual([
      ["/auth/device/code", { signal, replayable: true }],
      ["/auth/device/token", { signal, retry: false, timeoutMs: expect.any(Number) }],
    ]);
  });

  it("throws the signal's reason if it aborts while waiting", async () => {
    const controller = new AbortController();
    const states = deviceLogin({
      clock: fakeClock(),
      clientId: "tool-cli",
      signal: controller.signal,
      api: { baseUrl: "https://example.com", form: async () => AUTHORIZATION },
    });
    await states.next();
    const next = states.next();
    controller.abort("SIGINT");
    await expect(next).rejects.toBe("SIGINT");
  });
});

describe("deviceLogin() when the request for a code is refused for now", () => {
  const limited = (seconds?: number) =>
    new OAuthError("slow_down", "Too many requests.", {
      status: 429,
      headers: seconds === undefined ? {} : { "retry-after": String(seconds) },
    });

  /** Requests a code until one is returned, and does not poll. */
  async function ask(answers: unknown[], maxHeldSeconds?: number) {
    const clock = hurryingClock();
    const states: DeviceLoginState[] = [];
    const askedAt: number[] = [];
    const api = {
      baseUrl: "https://example.com",
      async form() {
        askedAt.push(clock.monotonic() / 1000);
        const answer = answers[askedAt.length - 1];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    try {
      for await (const state of deviceLogin({ api, clock, clientId: "tool-cli", maxHeldSeconds })) {
        states.push(state);
        if (state.kind === "prompt") break;
      }
      return { askedAt, kinds: states.map(({ kind }) => kind), states };
    } catch (failure) {
      return { askedAt, kinds: states.map(({ kind }) => kind), failure };
    }
  }

  it('yields "held" and waits as long as Retry-After says, or five seconds', async () => {
    const { askedAt, kinds } = await ask([limited(40), limited(), AUTHORIZATION], 300);
    expect(kinds).toEqual(["held", "held", "prompt"]);
    expect(askedAt).toEqual([0, 40, 45]);
  });

  it("waits for a busy server or a gateway, but after no other error", async () => {
    const busy = new OAuthError("temporarily_unavailable", "Busy.", { headers: { "retry-after": "1" } });
    expect((await ask([busy, AUTHORIZATION], 300)).askedAt).toEqual([0, 1]);
    const gateway = new Unreachable("https://example.com", "a gateway", { delivery: "unknown", status: 502 });
    expect((await ask([gateway, AUTHORIZATION], 300)).askedAt).toEqual([0, 5]);
    expect(await ask([lost(), AUTHORIZATION], 300)).toMatchObject({ askedAt: [0], failure: { torn: false } });
    const failed = new OAuthError("server_error", "Down.");
    expect(await ask([failed, AUTHORIZATION], 300)).toMatchObject({ askedAt: [0], failure: failed });
    const wrong = new OAuthError("invalid_scope", "No.");
    expect(await ask([wrong, AUTHORIZATION], 300)).toMatchObject({ askedAt: [0], failure: wrong });
  });

  it("says what it waits for, unless that is a limit", async () => {
    const busy = new OAuthError("temporarily_unavailable", "The store does not answer.");
    const gateway = new Unreachable("https://example.com", "a gateway", { delivery: "unknown", status: 502 });
    const { states } = await ask([busy, gateway, limited(), AUTHORIZATION], 300);
    expect(states?.map((state) => (state.kind === "held" ? state.message : state.kind))).toEqual([
      "The store does not answer.",
      "https://example.com cannot be reached: a gateway",
      undefined,
      "prompt",
    ]);
  });

  it("gives up when the waits would exceed maxHeldSeconds, or at once without it", async () => {
    expect(await ask([limited(200), limited(200)], 300)).toMatchObject({
      askedAt: [0, 200],
      failure: { status: 429 },
    });
    expect(await ask([limited(1)])).toMatchObject({ askedAt: [0], failure: { status: 429 } });
  });
});
