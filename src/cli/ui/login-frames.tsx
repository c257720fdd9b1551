import type { ReactElement } from "react";
import type { DeviceLoginState, DevicePrompt } from "../../client/sign-in/device-login.ts";
import type { Clock } from "../../system/clock.ts";
import { sentence } from "../describe-failure.ts";
import type { Output } from "../terminal/io.ts";
import { type Drawing, draw } from "./ink.tsx";
import { HeldFrame, LoginFrame, laidOut } from "./login-frame.tsx";
import { scannable } from "./login-layout.ts";
import { loginLines, reasonHeld } from "./login-lines.ts";
import type { LoginView } from "./login-view.ts";
import { qrLines } from "./qr-code.ts";

/** Draws the sign-in live and erases it at the end. If the terminal is too low, prints permanent lines instead. */
export function loginFrames(output: Output, baseUrl: string, clock: Clock): LoginView {
  let app: Drawing | undefined;
  let prompt: DevicePrompt | undefined;
  let qr: readonly string[] | undefined;
  let lines: LoginView | undefined;
  const show = (frame: ReactElement) => {
    if (app) app.rerender(frame);
    else app = draw(frame, output);
  };
  const erase = () => {
    app?.erase();
    app = undefined;
  };
  return {
    show(state: DeviceLoginState) {
      if (state.kind === "held") {
        const reason = reasonHeld(state, baseUrl);
        show(<HeldFrame {...{ output, clock, reason, until: state.until }} />);
      }
      if (state.kind === "prompt") {
        prompt = state.prompt;
        const address = prompt.verificationUriComplete ?? prompt.verificationUri;
        qr = scannable(address) ? qrLines(address) : undefined;
      }
      if (!prompt) return;
      const trouble = state.kind === "trouble" ? sentence(state.message) : undefined;
      const frame = { output, baseUrl, clock, prompt, qr, trouble };
      if (!lines && state.kind === "prompt" && laidOut(frame).layout.words === "nowhere") {
        erase();
        lines = loginLines(output, baseUrl, clock);
      }
      if (lines) lines.show(state);
      else show(<LoginFrame {...frame} />);
    },
    end: erase,
  };
}
