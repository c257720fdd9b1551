import type { Sighting } from "../../finding.ts";
import { LEVEL, type Level } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { seenVariant } from "../sightings/variants.ts";

/** What makes parsers that, as Java has them, resolve external entities. */
const MAKING = /^(?:newInstance|newFactory|createXMLReader|SAXReader|SAXBuilder)$/;
const FACTORY =
  /(?:^|\.)(?:(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)\.(?:newInstance|newFactory)|XMLReaderFactory\.createXMLReader|SAXReader|SAXBuilder)$/;
const READING =
  /^(?:parse|read|build|createXMLStreamReader|createXMLEventReader|newTransformer|newTemplates|newSchema|transform)$/;
/** What somebody who knows of it sets, on whatever it is. */
const SETTING =
  /^(?:setFeature|setProperty|setAttribute|setEntityResolver|setXMLResolver|setExpandEntities|setExpandEntityReferences|entityResolver)$/;

/** Parsers that are made, and texts that they are given. */
const MAX_PARSERS = 50;

/** Parsers of XML that are left as they are, and get a text that is not fixed. */
export function* xmlFactories(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(MAKING).slice(0, MAX_PARSERS)) {
    if (!FACTORY.test(fragment.names.resolve(call.path))) continue;
    const scope = fragment.names.functionAt(call.at)?.body ?? { from: 0, to: fragment.tokens.length };
    const within = ({ at }: Call) => at >= scope.from && at < scope.to;
    // A method of the class's own may set it.
    const isSet = fragment.callsOf(SETTING).some((set) => within(set) || !isOfOwnFactory(fragment, set));
    if (isSet || fragment.callsOf(/secure|harden/i).length > 0) continue;
    const level = levelRead(fragment, fragment.callsOf(READING).filter(within).slice(0, MAX_PARSERS));
    if (level >= LEVEL.unknown) yield seenVariant(fragment, call, "xml-entities", level);
  }
}

/** What is set was made in the same function, and is no other's. */
function isOfOwnFactory(fragment: Fragment, { start, at }: Call): boolean {
  const { names } = fragment;
  const made = names.definition(fragment.text(start), start);
  return made?.kind === "assign" && names.functionAt(made.at) === names.functionAt(at);
}

const SET = /^(?:DtdProcessing|ProhibitDtd|XmlResolver)$/;

/** `new XmlTextReader(stream)` of .NET, which reads document types unless it is told not to. */
export function* xmlTextReaders(fragment: Fragment): Iterable<Sighting> {
  if (fragment.wordsLike(SET).length > 0) return;
  for (const call of fragment.callsOf(/^XmlTextReader$/)) {
    const level = call.args[0] ? provenanceOf(fragment, "code").of(call.args[0]) : LEVEL.literal;
    if (call.isNew && level >= LEVEL.unknown) yield seenVariant(fragment, call, "xml-entities", level);
  }
}

function levelRead(fragment: Fragment, reads: readonly Call[]): Level {
  const provenance = provenanceOf(fragment, "code");
  const levels = reads.flatMap(({ args }) => (args[0] ? [provenance.of(args[0])] : []));
  return Math.max(LEVEL.literal, ...levels) as Level;
}
