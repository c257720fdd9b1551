import { OAuthError } from "../contract/problem.ts";
import { optional, type Parameters } from "./parameters.ts";

/** What tokens can be issued for: the API, or what speaks a protocol of its own at a path. */
export interface Resource {
  /** Behind the base URL; empty for the API. */
  path: string;
  /** For the person who is asked to let a client use it. */
  name: string;
}

export interface Resources {
  /**
   * The URI of the resource that a request is for (RFC 8707 §2), as its metadata has it; undefined where it
   * names none. `OAuthError` `invalid_target` where there is no such resource here.
   */
  target(parameters: Parameters): string | undefined;
  /** What people know a resource by; its URI where it is there no more. */
  nameOf(uri: string): string;
}

export function createResources({
  resources,
  issuer,
}: {
  resources: readonly Resource[];
  issuer: () => string;
}): Resources {
  function find(uri: string): { name: string; uri: string } | undefined {
    if (!URL.canParse(uri) || uri.includes("#")) return undefined;
    const asked = canonical(uri);
    const found = resources.find(({ path }) => canonical(issuer() + path) === asked);
    return found && { name: found.name, uri: issuer() + found.path };
  }

  return {
    target(parameters) {
      const named = optional(parameters, "resource");
      if (named === undefined) return undefined;
      const found = find(named);
      if (found) return found.uri;
      throw new OAuthError(
        "invalid_target",
        `There is no such resource here. It must be one of ${resources
          .map(({ path }) => issuer() + path)
          .join(", ")}.`,
      );
    },
    nameOf: (uri) => find(uri)?.name ?? uri,
  };
}

/** Scheme and host may be written in any case, and a slash may end what is put together from parts. */
function canonical(uri: string): string {
  return new URL(uri).href.replace(/\/$/, "");
}
