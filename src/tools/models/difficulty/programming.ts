/** Characters that are searched for a developer's request. The rest of a prompt is only searched for stack traces. */
const ASKED = 300;

/** Beginnings of requests for work on a program. */
const WORK =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|then|please|kindly|let'?s|(?:can|could|would|will) you(?: please)?|how (?:do|can|should|would) (?:I|we|you)|(?:I|we)(?:'d| would)? (?:want|need|like|have)(?: you)? to|help me(?: to)?|try to)[ ,]+)*(?:add|adapt|allow|avoid|build|bump|cache|change|check|clean|configure|containeri[sz]e|convert|create|debug|delete|deploy|deprecate|design|disable|document|drop|enable|ensure|explain|expose|extend|fix|handle|implement|improve|inline|install|integrate|introduce|investigate|lint|log|make|merge|migrate|mock|move|optimi[sz]e|parallelize|parse|pin|port|prevent|profile|publish|rebase|reduce|refactor|remove|rename|replace|resolve|return|revert|review|rewrite|run|set ?up|ship|simplify|speed up|split|stop|support|switch|test|throw|trace|type|undo|unify|update|upgrade|use|validate|wire|wrap|write)\b/i;

/** Terms that only occur in programming; one suffices. */
const TECHNOLOGY =
  /\b(?:ansible|aws|axum|bash|cmake|css|django|docker(?:file)?|dynamodb|elasticsearch|eslint|fastapi|fastify|firebase|git(?:hub|lab)?|golang|gradle|graphql|grpc|html|java(?:script)?|jest|jwt|k8s|kafka|kotlin|kubernetes|laravel|maven|mongo(?:db)?|mysql|next\.?js|nginx|node(?:\.?js)?|npm|nuxt|oauth2?|orm|pandas|php|playwright|pnpm|postgres(?:ql)?|prisma|prometheus|pydantic|pytest|python|pytorch|rabbitmq|rails|redis|regexp?|s3|sdk|sentry|sqlalchemy|sqlite|sql|ssh|svelte|tailwind|tensorflow|terraform|tls|tsconfig|typescript|vite(?:st)?|vue|webhooks?|webpack|websockets?|yaml|yarn|zod)\b|\bc\+\+|\b(?:stack ?traces?|pull requests?|unit tests?|integration tests?|(?:type|lint|compile|build|runtime) errors?|memory leaks?|race conditions?|null pointers?|rate limit(?:s|er|ing)?|back ?ends?|front ?ends?|code ?base|source code|error handling|dependency injection|refactor(?:ing|ed)?|middlewares?|endpoints?|monorepo|CI(?:\/CD)?|API|CLI|HTTPS?|CORS|CRUD|cron ?jobs?|dead code|unused (?:imports?|variables?|code)|dark mode|latency|memory usage)\b/i;
/** Technologies that are everyday words without their capitals. */
const NAMED = /\b(?:Apache|Celery|Express\.?js|Flask|Helm|Lambda|React|Ruby|Rust|Swift)\b/;
/** Names in the form of code: calls, paths, flags, identifiers. */
const IDENTIFIER =
  /\b\w+\(\)|\b[\w/-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|cpp|[ch]|php|sql|sh|toml|ya?ml|json|vue|svelte)\b|(?:^|\s)--[a-z][a-z-]+|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]{2,}_[a-z_]{2,}\b|\b[A-Z]\w+(?:Error|Exception)\b/;
/** Terms that are also everyday words; two are needed. */
const THING =
  /\b(?:api|app|async|auth(?:entication)?|branch|bugs?|builds?|caches?|callbacks?|client|code|columns?|command|commits?|compiler|components?|configs?|configuration|constructors?|controllers?|dashboard|database|dependenc(?:y|ies)|deploy(?:ment)?|environment|exceptions?|feature flags?|files?|fixtures?|flaky|form|functions?|handlers?|hooks?|imports?|index(?:es)?|interfaces?|lexer|library|linter|log(?:s|ger|ging|in)?|loops?|methods?|migrations?|mocks?|modal|modules?|mutex|navbar|packages?|pagination|parameters?|parser|pipelines?|plugin|production|quer(?:y|ies)|queues?|repo(?:sitory)?|requests?|responses?|retr(?:y|ies)|routes?|router|schemas?|scripts?|sdk|server|services?|sessions?|sidebar|sockets?|store|streams?|structs?|suite|tests?|threads?|timeouts?|tokens?|url|validation|validator|variables?|versions?|worker|wrapper)\b/gi;

/** Questions and complaints about the behaviour of a program. */
const SYMPTOM =
  /\bwhy (?:is|are|do|does|did|am|was|were|has|have|can'?t|won'?t|doesn'?t|isn'?t)\b[^.?!\n]{0,120}\b(?:slow(?:er)?|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|broken|breaks?|throw(?:s|n|ing)?|hang(?:s|ing)?|leak(?:s|ing)?|undefined|null|NaN|time?s? ?out|timing out|compil(?:e|es|ing)|render(?:s|ing|ed)?|wrong|flaky|run(?:ning)?|work(?:s|ing)?|return(?:s|ing)?|loop(?:s|ing)?|load(?:s|ing)?)\b|\bwhat(?:'s| is) wrong (?:with|in|here)\b|\b(?:does not|doesn'?t|won'?t|fails to) (?:compile|build|start|run|install|parse|type ?check)\b/i;
const REPORT =
  /\b(?:is|are|was|were|keeps?|gets?|grows?|went|fails?|failing|crash(?:es|ed)?|hangs?|throws?|leaks?|times? out|logged out)\b/i;
/** Texts that are no programs, whatever they are about. */
const PROSE =
  /\b(?:article|biography|blog post|cover letter|essay|haiku|joke|letter|limerick|lyrics|novel|poem|recipe|song|speech|stor(?:y|ies)|tweet)\b/i;
/** A question, which is no report. */
const QUESTION = /\?|^\s*(?:who|what|which|when|where)\b/i;
/** Words that may be all that a short prompt says about its subject. */
const POINTED_AT = /\b(?:this|it|here|that)\b/i;
const FEW_WORDS = 8;

const TRACE =
  /^\w{0,40}(?:Error|Exception): |^Traceback \(most recent call last\)|^[ \t]{1,16}at \S[^\n]{0,200}:\d+(?::\d+)?\)?$|^panic: |\berror(?: TS\d+|\[E\d+\])|\bsegmentation fault\b/im;

/** Whether a prompt asks for work on a program, or describes a fault in one. */
export function isAboutPrograms(prompt: string): boolean {
  if (TRACE.test(prompt)) return true;
  const asked = prompt.trimStart().slice(0, ASKED);
  if (PROSE.test(asked)) return false;
  const isNamed = TECHNOLOGY.test(asked) || NAMED.test(asked) || IDENTIFIER.test(asked);
  const things = new Set(
    Array.from(asked.matchAll(THING), ([thing]) => thing.toLowerCase().replace(/s$/, "")),
  ).size;
  const isShort = prompt.length <= ASKED && (prompt.match(/\S+/g)?.length ?? 0) <= FEW_WORDS;
  const isKnown = isNamed || things >= (isShort ? 1 : 2);
  if (isKnown && (WORK.test(asked) || (REPORT.test(asked) && !QUESTION.test(asked)))) return true;
  return SYMPTOM.test(asked) && (isNamed || things >= 1 || (isShort && POINTED_AT.test(asked)));
}
