import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Why a request failed, as a phrase for the person who named its URL. Reveals nothing about the internal network. */
export class CannotFetch extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "CannotFetch";
  }
}

/** Checks a URL without resolving its host. Returns the fault, if there is one. */
export type CheckUrl = (url: URL) => CannotFetch | undefined;

/** Names that always resolve to this machine (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/i;

/** @param allowPrivate as in `createSendPublic` */
export function urlChecker(allowPrivate: boolean): CheckUrl {
  return (url) => {
    if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
      return new CannotFetch("it is not an https URL");
    }
    // A literal address is not resolved, so it is checked here.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (allowPrivate || (isIP(host) === 0 ? !LOOPBACK_NAME.test(host) : isPublicAddress(host)))
      return undefined;
    return notPublic();
  };
}

export function notPublic(): CannotFetch {
  return new CannotFetch("its host has no public address");
}
