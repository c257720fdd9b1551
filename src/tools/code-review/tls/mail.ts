import type { Sighting } from "../finding.ts";
import { seenCall } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";

const MESSAGE =
  "The name in the mail server's certificate is not compared with the server's, so that any valid certificate will do.";

/** Settings that turn TLS on in JavaMail, and those that turn on the host name check, which is off by default. */
const SOCKETS = /^mail\.smtps?\.socketFactory\.class$/;
const FACTORY = /(?:^|\.)SSLSocketFactory$/;
const COMPARED = /^mail\.\w{3,6}\.ssl\.checkserveridentity$/;
const SETTING = /^(?:put|setProperty)$/;
const TURNING_ON = /^(?:setSSLOnConnect|setStartTLSEnabled|setStartTLSRequired)$/;
const COMPARING = /^setSSLCheckServerIdentity$/;
/** Jakarta Mail checks the host name by default. */
const COMPARES_ITSELF = /^jakarta$/;

/** Finds Java mail sessions over TLS that accept the certificate of any server. */
export function* mailSessions(fragment: Fragment): Iterable<Sighting> {
  if (fragment.wordsLike(COMPARES_ITSELF).length > 0) return;
  const { names } = fragment;
  const compared = new Set(fragment.stringsLike(COMPARED).map((at) => names.functionAt(at)));
  for (const call of fragment.callsOf(SETTING)) {
    const [name, value] = call.args.map(({ from }) => fragment.text(from));
    if (!name || !value || !SOCKETS.test(name) || !FACTORY.test(value)) continue;
    if (!compared.has(names.functionAt(call.at))) yield seenCall(fragment, call, { message: MESSAGE });
  }
  const comparing = new Set(fragment.callsOf(COMPARING).map((call) => mailOf(fragment, call)));
  for (const call of fragment.callsOf(TURNING_ON)) {
    if (fragment.text(call.args[0]?.from ?? -1) !== "true") continue;
    if (!comparing.has(mailOf(fragment, call))) yield seenCall(fragment, call, { message: MESSAGE });
  }
}

/** Returns a key of the mail object that a call configures: its name and the function around it. */
function mailOf(fragment: Fragment, { start, at }: Call): string {
  return `${fragment.text(start)} ${fragment.names.functionAt(at)?.start}`;
}
