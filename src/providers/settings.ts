import { isLoopback } from "../system/network/loopback.ts";
import type { ProviderSettings } from "./provider.ts";

const NAME = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses `name=issuer,client-id,env:SECRET`. Throws an `Error` with a message for the operator. */
export function parseOidc(text: string, environment: Environment): ProviderSettings {
  const [, name, issuer, clientId, variable] = /^([^=]*)=([^,]+),([^,]+),env:(\w+)$/.exec(text) ?? [];
  if (name === undefined || issuer === undefined || clientId === undefined || variable === undefined) {
    throw new Error(
      `--oidc takes name=issuer,client-id,env:VARIABLE, such as google=https://accounts.google.com,my-id,env:GOOGLE_SECRET; "${withoutSecrets(text)}" is not in that form.`,
    );
  }
  return { name, issuer, clientId, clientSecret: secretIn(variable, "--oidc", environment) };
}

/**
 * Parses `client-id,env:SECRET` or `https://github.example.com,client-id,env:SECRET`. Throws an `Error` with a message
 * for the operator.
 */
export function parseGithub(text: string, environment: Environment): ProviderSettings {
  const [, server = "https://github.com", clientId, variable] =
    /^(?:(https?:\/\/[^,]+),)?([^,]+),env:(\w+)$/.exec(text) ?? [];
  if (clientId === undefined || variable === undefined) {
    throw new Error(
      `--github takes client-id,env:VARIABLE, where the environment variable holds the client secret; "${withoutSecrets(text)}" is not in that form.`,
    );
  }
  return {
    name: "github",
    github: server,
    clientId,
    clientSecret: secretIn(variable, "--github", environment),
  };
}

/** Throws an `Error` with a message for the operator if a provider is invalid or two have the same name. */
export function checkProviders(all: readonly ProviderSettings[]): void {
  for (const [index, { name, issuer, github }] of all.entries()) {
    if (!NAME.test(name)) {
      throw new Error(
        `A provider's name has lower-case letters, digits and hyphens, up to 32: "${name}" does not.`,
      );
    }
    if (all.findIndex((other) => other.name === name) !== index) {
      throw new Error(`Two providers are called "${name}". Give each a name of its own.`);
    }
    const address = issuer ?? github ?? "";
    if (!URL.canParse(address) || !isSafe(new URL(address))) {
      throw new Error(`The provider "${name}" needs an https address; "${address}" is none.`);
    }
  }
}

/** Whether tokens may be sent to a URL: https, or http on this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

function secretIn(variable: string, flag: string, environment: Environment): string {
  const secret = environment[variable];
  if (secret) return secret;
  throw new Error(
    `${flag} names the environment variable ${variable} for the client secret, but it is not set.`,
  );
}

/** Redacts the last part, which is the secret itself if `env:` was forgotten. */
function withoutSecrets(text: string): string {
  return text.replace(/,[^,]*$/, ",…");
}
