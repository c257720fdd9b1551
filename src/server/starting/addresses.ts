/** Removes the slash at the end: paths are appended to it, and clients compare it character by character. */
export function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/\/+$/, "");
}

/** Checks the base of the links that people open and of the URLs that clients compare. */
export function checkAddress(name: string, address: string | undefined): void {
  if (address === undefined) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(address);
  if (isPlain) return;
  throw new Error(
    `${name} takes an http or https address, as https://control.example.com, without user, query or fragment; "${withoutSecret(address)}" is none.`,
  );
}

/** Checks where telemetry is sent. */
export function checkReceiver(name: string, endpoint: string | undefined): void {
  if (endpoint === undefined || (URL.canParse(endpoint) && /^https?:/i.test(endpoint))) return;
  throw new Error(
    `${name} takes the URL of an OTLP receiver, as http://127.0.0.1:4318; "${endpoint}" is none.`,
  );
}

/** Returns an address with its credentials masked. */
function withoutSecret(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//…@");
}
