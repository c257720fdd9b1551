import type { Sighting } from "../../finding.ts";
import { highest, LEVEL, type Level } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { seenVariant } from "../sightings/variants.ts";

/** Calls that create Java's parsers, which resolve external entities by default. */
const MAKING = /^(?:newInstance|newFactory|createXMLReader|SAXReader|SAXBuilder)$/;
const FACTORY =
  /(?:^|\.)(?:(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)\.(?:newInstance|newFactory)|XMLReaderFactory\.createXMLReader|SAXReader|SAXBuilder)$/;
const READING =
  /^(?:parse|read|build|createXMLStreamReader|createXMLEventReader|newTransformer|newTemplates|newSchema|transform)$/;
/** Calls that harden a parser, whatever its type. */
const SETTING =
  /^(?:setFeature|setProperty|setAttribute|setEntityResolver|setXMLResolver|setExpandEntities|setExpandEntityReferences|entityResolver)$/;

/** Maximum parsers, and maximum reading calls for each, that are considered. */
const MAX_PARSERS = 50;

/** Finds XML parsers that are not hardened and read a text that is not fixed. */
export function* xmlFactories(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(MAKING).slice(0, MAX_PARSERS)) {
    if (!FACTORY.test(fragment.names.resolve(call.path))) continue;
    const scope = fragment.names.functionAt(call.at)?.body ?? { from: 0, to: fragment.tokens.length };
    const within = ({ at }: Call) => at >= scope.from && at < scope.to;
    // Another method of the class may harden it.
    const isSet = fragment.callsOf(SETTING).some((set) => within(set) || !isOfOwnFactory(fragment, set));
    if (isSet || fragment.callsOf(/secure|harden/i).length > 0) continue;
    const level = levelRead(fragment, fragment.callsOf(READING).filter(within).slice(0, MAX_PARSERS));
    if (level >= LEVEL.unknown) yield seenVariant(fragment, call, "xml-entities", { level });
  }
}

/** Whether the receiver of a setting is created in the same function. */
function isOfOwnFactory(fragment: Fragment, { start, at }: Call): boolean {
  const { names } = fragment;
  const made = names.definition(fragment.text(start), start);
  return made?.kind === "assign" && names.functionAt(made.at) === names.functionAt(at);
}

const SET = /^(?:DtdProcessing|ProhibitDtd|XmlResolver)$/;

/** `new XmlTextReader(stream)` of .NET, which reads document types by default. */
export function* xmlTextReaders(fragment: Fragment): Iterable<Sighting> {
  if (fragment.wordsLike(SET).length > 0) return;
  for (const call of fragment.callsOf(/^XmlTextReader$/)) {
    const level = call.args[0] ? provenanceOf(fragment, "code").of(call.args[0]) : LEVEL.literal;
    if (call.isNew && level >= LEVEL.unknown) yield seenVariant(fragment, call, "xml-entities", { level });
  }
}

function levelRead(fragment: Fragment, reads: readonly Call[]): Level {
  const provenance = provenanceOf(fragment, "code");
  const levels = reads.flatMap(({ args }) => (args[0] ? [provenance.of(args[0])] : []));
  return highest(levels);
}
