import type { Scope } from "../contract/caller.ts";
import { OAuthError } from "../contract/problem.ts";
import { optional, type Parameters } from "./parameters.ts";
import { SCOPE_DESCRIPTIONS, UPSTREAM_SCOPE_DESCRIPTIONS } from "./scopes.ts";

/** A resource that tokens can be issued for: the API, or a path that speaks another protocol. */
export interface Resource {
  /** The path below the base URL; empty for the API. */
  path: string;
  /** The name that the consent page shows. */
  name: string;
  /** Whether it is an upstream, which receives the scopes and decides itself what they mean. */
  isUpstream?: boolean;
}

export interface Resources {
  /**
   * Returns the URI of the resource that a request names (RFC 8707 §2), as in its metadata; undefined if it names none.
   * `OAuthError` `invalid_target` for an unknown resource.
   */
  target(parameters: Parameters): string | undefined;
  /** Returns the name of a resource, or the URI of one that was removed. */
  nameOf(uri: string): string;
  /** Describes a scope for the consent page, for a token for one resource, or for all if `uri` is undefined. */
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

  /**
   * Explains a URI that differs from a resource's only in its origin, such as `localhost` instead of `127.0.0.1`. A
   * token issued for one origin is not valid for another.
   */
  function elsewhere(uri: string): string | undefined {
    if (!URL.canParse(uri)) return undefined;
    const { origin, href } = new URL(uri);
    // A scheme without hosts, such as that of `urn:example:api`, has no origin.
    if (origin === "null") return undefined;
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
      (uri !== undefined && find(uri)?.isUpstream ? UPSTREAM_SCOPE_DESCRIPTIONS : SCOPE_DESCRIPTIONS)[scope],
  };
}

/** Normalizes the case of scheme and host, and drops a trailing slash. */
function canonical(uri: string): string {
  return new URL(uri).href.replace(/\/$/, "");
}
