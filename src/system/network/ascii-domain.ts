import { domainToASCII } from "node:url";

/** Returns a domain in its ASCII form (`xn--…`), as browsers send it; one that is ASCII, or invalid, unchanged. */
export function asciiDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matching ASCII is the purpose
  if (domain.length > 253 || /^[\u0000-\u007f]*$/.test(domain)) return domain;
  return domainToASCII(domain) || domain;
}

/** Returns an e-mail address with its domain in ASCII; a text without "@" unchanged. */
export function withAsciiDomain(email: string): string {
  const start = email.lastIndexOf("@") + 1;
  return start === 0 ? email : email.slice(0, start) + asciiDomain(email.slice(start));
}
