import type { DeviceLoginState } from "../../client/sign-in/device-login.ts";

/** What people see of a sign-in while it lasts. */
export interface LoginView {
  show(state: DeviceLoginState): void;
  end(): void;
}
