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

/** Which mail of which function a call sets. */
function mailOf(fragment: Fragment, { start, at }: Call): string {
  return `${fragment.text(start)} ${fragment.names.functionAt(at)?.start}`;
}
