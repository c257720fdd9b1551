/** English verbs and nouns with irregular forms: the base, then its forms. */
const FORMS = `
go goes went gone; be was were been; have had; do did done; say said; make made; take took taken; come came; see saw seen;
know knew known; get got gotten; give gave given; find found; think thought; tell told; become became; leave left;
feel felt; bring brought; begin began begun; keep kept; hold held; write wrote written; stand stood; hear heard;
mean meant; meet met; run ran; pay paid; sit sat; speak spoke spoken; lie lay lain; lead led; grow grew grown;
lose lost; fall fell fallen; send sent; build built; understand understood; draw drew drawn; break broke broken;
spend spent; rise rose risen; drive drove driven; buy bought; wear wore worn; choose chose chosen; seek sought;
throw threw thrown; catch caught; deal dealt; win won; forget forgot forgotten; sell sold; fight fought; teach taught;
eat ate eaten; sing sang sung; strike struck; hang hung; shake shook shaken; ride rode ridden; feed fed; shoot shot;
drink drank drunk; fly flew flown; steal stole stolen; sleep slept; swim swam swum; wake woke woken; dig dug;
hide hid hidden; bite bit bitten; blow blew blown; freeze froze frozen; sink sank sunk; tear tore torn; stick stuck;
sweep swept; swear swore sworn; bend bent; lend lent; shine shone; slide slid; ring rang rung; dream dreamt;
learn learnt; burn burnt; spell spelt; bear bore born borne; beat beaten; bind bound; breed bred; cling clung;
creep crept; flee fled; forbid forbade forbidden; forgive forgave forgiven; grind ground; kneel knelt; light lit;
overcome overcame; prove proven; show shown; sew sewn; shrink shrank shrunk; spin spun; spring sprang sprung;
sting stung; swing swung; undergo underwent undergone; undertake undertook undertaken; weave wove woven; weep wept;
wind wound; withdraw withdrew withdrawn; rebuild rebuilt; rewrite rewrote rewritten; reset resetting; set setting;
child children; person people; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese; wife wives;
life lives; knife knives; leaf leaves; half halves; shelf shelves; wolf wolves; datum data; criterion criteria;
phenomenon phenomena; index indices; matrix matrices; vertex vertices; analysis analyses; crisis crises;
good better best; bad worse worst; far further furthest farther`;

/** The base of each form. */
export const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.split(";").flatMap((line) => {
    const [base = "", ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [form, base] as const);
  }),
);
