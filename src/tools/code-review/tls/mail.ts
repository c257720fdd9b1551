import type { Sighting } from "../finding.ts";
import { seenCall } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";

const MESSAGE =
  "The name in the mail server's certificate is not compared with the server's, so that any valid certificate will do.";

/** What turns TLS on in Java's mail, and what has the name compared, which is not done of itself. */
const SOCKETS = /^mail\.smtps?\.socketFactory\.class$/;
const FACTORY = /(?:^|\.)SSLSocketFactory$/;
const COMPARED = /^mail\.\w{3,6}\.ssl\.checkserveridentity$/;
const SETTING = /^(?:put|setProperty)$/;
const TURNING_ON = /^(?:setSSLOnConnect|setStartTLSEnabled|setStartTLSRequired)$/;
const COMPARING = /^setSSLCheckServerIdentity$/;
/** Jakarta's mail compares it unless it is told not to. */
const COMPARES_ITSELF = /^jakarta$/;

/** Mail of Java over TLS that takes any server's certificate. */
export function* mailSessions(fragment: Fragment): Iterable<Sighting> {
  if (fragment.wordsLike(COMPARES_ITSELF).length > 0) return;
  const compared = fragment.stringsLike(COMPARED);
  for (const call of fragment.callsOf(SETTING)) {
    const [name, value] = call.args.map(({ from }) => fragment.text(from));
    if (!name || !value || !SOCKETS.test(name) || !FACTORY.test(value)) continue;
    if (!compared.some((at) => isTogether(fragment, call.at, at)))
      yield seenCall(fragment, call, { message: MESSAGE });
  }
  const comparing = fragment.callsOf(COMPARING);
  for (const call of fragment.callsOf(TURNING_ON)) {
    if (fragment.text(call.args[0]?.from ?? -1) !== "true") continue;
    if (!comparing.some((other) => isOfSame(fragment, call, other)))
      yield seenCall(fragment, call, { message: MESSAGE });
  }
}

function isTogether(fragment: Fragment, one: number, other: number): boolean {
  return fragment.names.functionAt(one) === fragment.names.functionAt(other);
}

/** Set on the same mail. */
function isOfSame(fragment: Fragment, one: Call, other: Call): boolean {
  const isNamedAlike = fragment.text(one.start) === fragment.text(other.start);
  return isNamedAlike && isTogether(fragment, one.at, other.at);
}
