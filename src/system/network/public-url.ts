import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Why nothing came of a request, in words for who named its URL. Says nothing of the network inside. */
export class CannotFetch extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "CannotFetch";
  }
}

/** Says what is wrong with a URL that can be seen without looking its host up. */
export type CheckUrl = (url: URL) => CannotFetch | undefined;

/** What stands for this machine, whoever is asked (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/i;

/** @param allowPrivate as of `createSendPublic`. */
export function urlChecker(allowPrivate: boolean): CheckUrl {
  return (url) => {
    if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
      return new CannotFetch("it is not an https URL");
    }
    // An address instead of a name is not looked up.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (allowPrivate || (isIP(host) === 0 ? !LOOPBACK_NAME.test(host) : isPublicAddress(host)))
      return undefined;
    return notPublic();
  };
}

export function notPublic(): CannotFetch {
  return new CannotFetch("its host has no public address");
}
