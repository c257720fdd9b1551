const LIST = `
a about above after again against all am an and any are as at be because been before being below between both but
by can could did do does doing down during each either else ever every few for from further get got had has have
having he her here hers herself him himself his how however i if in into is it its itself just let like me more
most much my myself of off on once only or other our ours ourselves out over own per quite rather really same she
should so some such than that the their theirs them themselves then there these they this those through to too
under until up upon us very was we were what when where whether which while who whom whose why will with would yes
you your yours yourself yourselves also yet may might must shall one`;

/** English words that carry no topic. Negations are not included. */
export const STOP_WORDS: ReadonlySet<string> = new Set(LIST.split(/\s+/).filter(Boolean));
