import type { Rule, Severity, Sighting } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { provenanceOf } from "../flow/provenance.ts";
import { receiverPath } from "../flow/receivers.ts";
import { type Language, PROGRAMS } from "../language/language.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../syntax/range.ts";
import { seenAt, seenCall } from "./sightings/sightings.ts";

/** Paths of calls to generators whose next numbers can be predicted from earlier ones. */
const GENERATORS: Partial<Record<Language, RegExp>> = {
  javascript:
    /^Math\.random$|(?:^|\.)pseudoRandomBytes$|^(?:chance|faker|casual)\.(?:hash|guid|string)$|^(?:seedrandom|Random)$/,
  python:
    /^random\.(?!SystemRandom)\w{3,20}$|^random\.Random\(\)\.\w{3,20}$|^(?:numpy|np)\.random\.\w{2,20}$|^uuid\.uuid1$/,
  go: /^math\.rand(?:\.v2)?\.\w{2,12}$|^rand\.(?:Int|Intn|Int31|Int31n|Int63|Int63n|Float32|Float64|Perm|Seed|NewSource|Uint32|Uint64|IntN|N)$/,
  java: /^(?:java\.util\.)?Random$|^(?:(?:java|scala)\.util\.|kotlin\.random\.)?Random(?:\(\))?\.next\w{1,20}$|^Math\.random$|^ThreadLocalRandom\.current$|^RandomStringUtils\.(?!secure)\w{6,30}$|^RandomUtils\.\w{6,20}$|^SplittableRandom$/,
  ruby: /^(?:Kernel\.)?(?:rand|srand)$|^Random\.(?:rand|bytes|new_seed)$|^Random\.new\b/,
  php: /^(?:rand|mt_rand|srand|mt_srand|lcg_value|uniqid|array_rand|shuffle|str_shuffle)$/,
  c: /^(?:rand|srand|rand_r|random|srandom|drand48|erand48|lrand48|nrand48|mrand48|jrand48|lcong48|srand48|seed48|initstate|setstate|RtlRandom|RtlRandomEx|RtlUniform)$/,
  cpp: /^(?:std\.)?(?:rand|srand|rand_r|random|srandom|drand48|lrand48|mrand48|srand48|random_shuffle|mt19937|mt19937_64|minstd_rand|minstd_rand0|default_random_engine|ranlux24|qrand|qsrand)$|^RtlRandom(?:Ex)?$/,
  csharp: /^(?:System\.)?Random$|^Random\.Shared\.\w{4,12}$|^(?:UnityEngine\.)?Random\.(?:Range|value|Next)$/,
  rust: /(?:^|\.)(?:SmallRng|StdRng)\.(?:seed_from_u64|from_seed)$|^fastrand\.\w{1,12}$|(?:^|\.)(?:Xorshift\w{0,12}|Pcg\w{2,8}|Xoshiro\w{2,16}|Isaac\w{2,8})\.\w{3,16}$|^oorandom\.\w{2,12}/,
  other: /^(?:arc4random_uniform_weak|drand48|srand48|rand|srand|math\.random|Math\.random)$/,
};

/** Types of generators that are declared without a call. */
const DECLARED =
  /^(?:mt19937|mt19937_64|minstd_rand|minstd_rand0|default_random_engine|ranlux24|ranlux48|knuth_b)$/;

/** Names of values that must not be guessed. */
const SECRET =
  /token|secret|passw|pwd|session|nonce|salt|\bkey(?![a-z])|apikey|api_key|otp|\bpin\b|captcha|csrf|xsrf|auth(?!or(?!i[sz]))|credential|cookie|verif|(?<!p)reset_?link|invit|code\b|\biv\b|uuid|guid|cipher|crypt|signature|voucher|coupon|lottery/i;
/** Names of values that may be guessed. */
const HARMLESS =
  /jitter|delay|sleep|backoff|retry|timeout|colou?r|shuffle|sample|animation|particle|position|offset|width|height|opacity|(?<![a-z0-9])(?:test|mock|fake|demo|benchmark)(?![a-z0-9])|simulat|noise|dice|game|enemy|spawn|confetti|placeholder|skeleton|percent|probability|rate|interval|weight|split(?!table)|rollout/i;

/** `<Item key={random()}>` of React, which tells the members of a list apart by it. */
const KEY_OF_ELEMENT = /\bkey=\{[^{}]{0,200}\}/g;

/** The generator's own name, which says nothing of what is made: `request_id = uuid.uuid1()`. */
const OWN_NAME = /\b(?:uuid\.)?uuid1(?=\()/g;

/** `api_key = random.choice(api_keys)`, `$key = array_rand($drivers)`: one of those that there are, none made. */
const CHOSEN =
  /\b(\w{0,30}(?:key|token|code|secret|cookie)) ?= ?(?:\w{1,20}\.)?choice\( ?(?:self\.)?\1s\b|\$key\b(?= ?= ?array_rand\()/;

/** `getSessionCount`, `token_rate`: amounts, which may be guessed. */
const AMOUNT =
  /(?:token|session|cookie|code|coupon|voucher|nonce|invit\w{0,5}|verif\w{0,8}|auth\w{0,12})s?_?(?:count|number|total|average|duration|length|time|rate|stats|score|size|volume|activity|usage|traffic|per)/i;
/** `0.8 + chance * 0.4`: a quantity between two others. */
const QUANTITY = /(?<![\w.])\d{0,4}\.\d{1,6}\s{0,4}[-+*]|[-+*]\s{0,4}\d{0,4}\.\d{1,6}(?![\w.])/;

export const insecureRandomness: Rule = {
  id: "insecure-randomness",
  category: "security",
  severity: "info",
  cwe: 338,
  languages: [...PROGRAMS, "other"],
  message: "These random numbers can be predicted from earlier ones.",
  suggestion:
    "For anything that must not be guessed, take the system's generator (crypto.randomBytes, secrets, SecureRandom).",
  *check(fragment) {
    const pattern = GENERATORS[fragment.language];
    if (!pattern) return;
    for (const call of fragment.calls) {
      const path = fragment.names.resolve(call.path);
      if (!pattern.test(path) && !pattern.test(call.path)) continue;
      if (fragment.language === "go" && /^crypto\.rand/.test(path)) continue;
      if (fragment.language === "java" && isGivenSecure(fragment, call)) continue;
      if (call.name === "Random" && /\.java$/.test(fragment.path) && !call.isNew) continue;
      if (isLengthOfSecure(fragment, call) || isMadeOfSecure(fragment, call)) continue;
      for (const sighting of sighted(fragment, call.start))
        if (!isChance(fragment, call) || buildsSecret(fragment, sighting)) yield sighting;
    }
    yield* mentions(fragment);
    if (fragment.language === "java") yield* fixedSeeds(fragment);
  },
};

/** `Str::random(mt_rand(5, 9))`: only how long a text from a good generator is. */
function isLengthOfSecure(fragment: Fragment, { at }: Call): boolean {
  const around = fragment.callAround(at);
  return around !== undefined && SECURE_TEXT.test(around.path);
}

/** `uniqid(random_int(0, PHP_INT_MAX), true)`: only adds to what a good generator gives. */
function isMadeOfSecure(fragment: Fragment, { path, args }: Call): boolean {
  if (fragment.language !== "php" || path !== "uniqid") return false;
  return args.some((range) =>
    fragment.texts(range).some((text) => /^(?:random_(?:int|bytes)|openssl_random_pseudo_bytes)$/.test(text)),
  );
}

const SECURE_TEXT =
  /^(?:Str\.random|random_bytes|openssl_random_pseudo_bytes|crypto\.randomBytes|randomBytes|secrets\.token_\w{3,8}|os\.urandom|SecureRandom\.\w{3,20})$/;

/** `random() < 0.5`, `rand(0, 10) === 1`: a choice by chance, of which nothing is left that could be guessed. */
function isChance(fragment: Fragment, { start, end }: Call): boolean {
  const isNumber = (at: number) => fragment.tokens[at]?.kind === "number";
  return (
    (COMPARES.test(fragment.text(end)) && isNumber(end + 1)) ||
    (COMPARES.test(fragment.text(start - 1)) && isNumber(start - 2))
  );
}

const COMPARES = /^(?:[<>]=?|[=!]==?)$/;

/** `token += random() < 0.5 ? "0" : "1"`: choices that are put together. */
function buildsSecret(fragment: Fragment, { severity, places: [place] }: Sighting): boolean {
  return severity === "warning" && place !== undefined && buildingLinesIn(fragment).has(place.line);
}

const BUILDS = /\+=|(?:\bjoin|\.(?:map|push|append|times|collect))\b/;
const CHOOSES = /\?|\belse\b/;

const buildingLinesIn = oncePerFragment(
  (fragment: Fragment) =>
    new Set(
      [...fragment.lines.keys()].filter((line) => {
        const code = fragment.code(line);
        const begin = code.search(BUILDS);
        return begin >= 0 && CHOOSES.test(code.slice(begin));
      }),
    ),
);

/** `RandomStringUtils.random(20, 0, 0, true, true, null, new SecureRandom())` */
function isGivenSecure(fragment: Fragment, { args }: Call): boolean {
  const last = args.at(-1);
  return (
    last !== undefined && fragment.tokens.slice(last.from, last.to).some(({ text }) => SECURE.test(text))
  );
}

const SECURE = /^(?:SecureRandom|secureRandom|SECURE_RANDOM)$/;
const SEEDING = /^(?:SecureRandom|setSeed)$/;

/** `new SecureRandom("fixed".getBytes())`: the same seed yields the same numbers. */
function* fixedSeeds(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(SEEDING)) {
    const [seed] = call.args;
    const path = receiverPath(fragment, call.path, call.start);
    if (!seed || !/^SecureRandom(?:$|(?:\(\)|\.getInstance\(\))?\.setSeed$)/.test(path)) continue;
    if (provenanceOf(fragment, "code").of(seed) > LEVEL.literal || isFilled(fragment, seed)) continue;
    yield seenCall(fragment, call, {
      message: `${call.name}() gets a seed that is the same each time or is easily guessed.`,
      severity: "warning",
    });
  }
}

/** Whether a seed is a name whose bytes may be filled elsewhere. */
function isFilled(fragment: Fragment, { from, to }: Range): boolean {
  const seed = fragment.text(from);
  if (to !== from + 1 || !fragment.isWord(from)) return false;
  const definition = fragment.names.definition(seed, from);
  if (definition?.kind !== "assign") return true;
  return fragment.usesIn(seed, { from: definition.at + 1, to: from }).length > 0;
}

/** Finds generators that are passed or declared, not called. */
function* mentions(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("pseudoRandomBytes") ?? []) {
    if (fragment.text(index - 1) === ".") yield* sighted(fragment, Math.max(0, index - 2));
  }
  if (fragment.language !== "cpp") return;
  for (const index of fragment.wordsLike(DECLARED)) yield* sighted(fragment, index);
}

/** Maximum characters on either side that are searched for names. Text farther away on a long line is unrelated. */
const AROUND = 500;

function* sighted(fragment: Fragment, at: number): Iterable<Sighting> {
  const { line, column } = fragment.tokens[at] as { line: number; column: number };
  const around = fragment.code(line).slice(Math.max(0, column - AROUND), column + AROUND);
  if (CHOSEN.test(around)) return;
  const text = around.replace(KEY_OF_ELEMENT, "").replace(OWN_NAME, "");
  const scope = fragment.names.functionAt(at)?.name ?? "";
  const isQuantity = QUANTITY.test(text);
  const secret = SECRET.test(text) || (SECRET.test(scope) && !AMOUNT.test(scope) && !isQuantity);
  if (!secret && (isQuantity || HARMLESS.test(text) || HARMLESS.test(scope))) return;
  const severity: Severity = secret ? "warning" : "info";
  yield seenAt(fragment, [at], { severity });
}
