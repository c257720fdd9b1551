import type { Scope } from "../contract/caller.ts";
import { OAuthError } from "../contract/problem.ts";
import { optional, type Parameters } from "./parameters.ts";
import { BEHIND_DESCRIPTIONS, SCOPE_DESCRIPTIONS } from "./scopes.ts";

/** What tokens can be issued for: the API, or what speaks a protocol of its own at a path. */
export interface Resource {
  /** Behind the base URL; empty for the API. */
  path: string;
  /** For the person who is asked to let a client use it. */
  name: string;
  /** A server behind this one, which is told of the scopes and has its own idea of them. */
  isBehind?: boolean;
}

export interface Resources {
  /**
   * The URI of the resource that a request is for (RFC 8707 §2), as its metadata has it; undefined where it
   * names none. `OAuthError` `invalid_target` where there is no such resource here.
   */
  target(parameters: Parameters): string | undefined;
  /** What people know a resource by; its URI where it is there no more. */
  nameOf(uri: string): string;
  /** What a scope lets a token do that is for this resource alone, or for all of them, for the person who grants it. */
  meaningOf(scope: Scope, uri: string | undefined): string;
}

export function createResources({
  resources,
  issuer,
}: {
  resources: readonly Resource[];
  issuer: () => string;
}): Resources {
  function find(uri: string): (Resource & { uri: string }) | undefined {
    if (!URL.canParse(uri) || uri.includes("#")) return undefined;
    const asked = canonical(uri);
    const found = resources.find(({ path }) => canonical(issuer() + path) === asked);
    return found && { ...found, uri: issuer() + found.path };
  }

  /** Where only the address differs, as `localhost` does from `127.0.0.1`: nothing that was issued for one is good for both. */
  function elsewhere(uri: string): string | undefined {
    if (!URL.canParse(uri)) return undefined;
    const { origin, href } = new URL(uri);
    const meant = resources.find(({ path }) => canonical(origin + path) === canonical(href));
    return (
      meant &&
      `This server calls itself ${issuer()}: use ${issuer() + meant.path}, or start it with --base-url ${origin}.`
    );
  }

  return {
    target(parameters) {
      const named = optional(parameters, "resource");
      if (named === undefined) return undefined;
      const found = find(named);
      if (found) return found.uri;
      throw new OAuthError(
        "invalid_target",
        elsewhere(named) ??
          `There is no such resource here. It must be one of ${resources
            .map(({ path }) => issuer() + path)
            .join(", ")}.`,
      );
    },
    nameOf: (uri) => find(uri)?.name ?? uri,
    meaningOf: (scope, uri) =>
      (uri !== undefined && find(uri)?.isBehind ? BEHIND_DESCRIPTIONS : SCOPE_DESCRIPTIONS)[scope],
  };
}

/** Scheme and host may be written in any case, and a slash may end what is put together from parts. */
function canonical(uri: string): string {
  return new URL(uri).href.replace(/\/$/, "");
}
