import type { DeviceLoginState } from "../../client/sign-in/device-login.ts";

/** The view of a sign-in in progress. */
export interface LoginView {
  show(state: DeviceLoginState): void;
  end(): void;
}
