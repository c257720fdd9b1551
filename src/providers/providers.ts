import type { Clock } from "../system/clock.ts";
import { createGithub } from "./github.ts";
import { createOpenId } from "./openid.ts";
import type { Provider, ProviderSettings } from "./provider.ts";

/** Creates the configured providers, in the given order. */
export function createProviders(all: readonly ProviderSettings[], clock: Pick<Clock, "now">): Provider[] {
  return all.map(({ issuer, github, ...rest }) =>
    issuer === undefined
      ? createGithub({ ...rest, github: github ?? "https://github.com" })
      : createOpenId({ ...rest, issuer }, clock),
  );
}
