import type { DeviceLoginState } from "../../client/sign-in/device-login.ts";
import type { Clock } from "../../system/clock.ts";
import { sentence } from "../describe-failure.ts";
import { inset } from "../terminal/inset.ts";
import type { Output } from "../terminal/io.ts";
import { duration } from "./format.ts";
import type { LoginView } from "./login-view.ts";

/** Shows the sign-in as permanent lines, for an output that cannot be redrawn. */
export function loginLines(output: Output, baseUrl: string, clock: Pick<Clock, "now">): LoginView {
  let troubled = false;
  const say = (line: string) => output.line(inset(line, output));
  return {
    show(state: DeviceLoginState) {
      if (state.kind === "prompt") {
        const { userCode, verificationUri, verificationUriComplete } = state.prompt;
        say(`Sign in to ${baseUrl}`);
        say(`Open   ${verificationUri}`);
        say(`Enter  ${userCode}`);
        if (verificationUriComplete) say(`Or open ${verificationUriComplete}`);
        say("Waiting for approval.");
      }
      if (state.kind === "held") {
        const seconds = Math.ceil((state.until - clock.now()) / 1000);
        say(`${reasonHeld(state, baseUrl)} Trying again in ${duration(seconds * 1000)}.`);
      }
      if (state.kind === "trouble" && !troubled)
        say(`${sentence(state.message)} Trying again until the code expires.`);
      troubled = state.kind === "trouble";
    },
    end() {},
  };
}

/** Returns a sentence that says why there is no code yet. */
export function reasonHeld({ message }: { message?: string | undefined }, baseUrl: string): string {
  return message === undefined ? `Too many ask ${baseUrl} for a code just now.` : sentence(message);
}
