package orientation

// The small word lists of English grammar that finding a governing verb needs.

var pronouns = wordSet(`i we you he she it they everyone everybody someone somebody nobody anyone who`)

var objectPronouns = wordSet(`me us myself ourselves`)

var determiners = wordSet(`a an the my our your his her its their this that these those some any every each all both no
	another half more most many several few enough which what whose`)

var possessives = wordSet(`my our your his her its their`)

var prepositions = wordSet(`of for in on at with by from to about into onto over under through across around between among
	within without against toward towards after before during until till since upon near behind beside along off up out down
	as than per via inside outside throughout beyond above below because while when where if so and or but then plus including
	like despite except that which who whose whom`)

var relatives = wordSet("that which who whose whom where when why while because if so unless until whenever wherever as")

var modals = wordSet("will would shall should must can could may might do does did")

// adverbs that stand between what leads up to a verb and the verb.
var adverbs = wordSet(`please just simply finally also then first now really truly ultimately eventually today again always
	once soon very much too quite still only ever already definitely together forever permanently gradually slowly quickly
	actively seriously`)

// leading verbs hand their meaning on to the verb after them: "want to write", "commit to writing".
var leading = conjugate(`want need wish like love hope plan+ aim intend aspire try attempt strive:strove,striven seek:sought
	decide choose:chose,chosen manage begin+:began,begun start work continue determine expect promise ought prefer+ look
	focus commit+ practice practise keep:kept succeed resolve vow have:had desire propose finish
	dream dedicate concentrate proceed prepare`)

// desiring verbs say that something is wanted and nothing about what will be.
var desiring = conjugate(`want need wish like love hope desire crave seek:sought try think:thought plan+ intend consider worry
	struggle hate dream lack dislike`)

// leadIns are the openings of a goal. They are stepped over before the governing verb is sought.
var leadIns = [][]string{
	{"in", "order", "to"}, {"going", "to"}, {"got", "to"}, {"set", "out", "to"}, {"setting", "out", "to"}, {"so", "as", "to"}, {"how", "to"}, {"able", "to"}, {"be", "able", "to"}, {"about", "to"},
	{"make", "sure", "that"}, {"make", "sure", "to"}, {"make", "sure"}, {"ensure", "that"}, {"see", "to", "it", "that"},
	{"once", "and", "for", "all"}, {"no", "matter", "what"}, {"would", "rather"}, {"had", "better"},
	{"ready", "to"}, {"determined", "to"}, {"committed", "to"}, {"dedicated", "to"}, {"and", "then"},
	{"goal", "is", "to"}, {"aim", "is", "to"}, {"outcome", "is", "to"}, {"vision", "is", "to"}, {"objective", "is", "to"},
	{"purpose", "is", "to"}, {"mission", "is", "to"}, {"plan", "is", "to"}, {"intention", "is", "to"}, {"dream", "is", "to"},
	{"priority", "is", "to"}, {"target", "is", "to"}, {"ambition", "is", "to"}, {"wish", "is", "to"},
	{"goal", "is"}, {"desired", "outcome", "is"}, {"aim", "is"},
}

// goalNouns open sentences such as "Our main goal for this year is to …".
var goalNouns = wordSet(`goal aim outcome vision objective purpose mission plan intention dream priority target ambition wish
	challenge task what idea focus point resolution`)

// collectives are the groups one belongs to: helping them is helping oneself.
var collectives = wordSet(`team company family business department staff organisation organization office group firm startup
	household class school community`)

// calendar words fill introductions such as "by the end of March".
var calendar = wordSet(`the end of start beginning middle this next coming year years month months week weeks quarter day days
	spring summer autumn fall winter january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday
	christmas easter new today tomorrow tonight noon midnight mid late early q1 q2 q3 q4 my our birthday decade
	one two three four five six seven eight nine ten twelve eighteen a an time`)

var introducers = wordSet(`by in within before until during this next at on over as for with when once starting from through
	throughout every each today tomorrow after since now if while although because given thanks instead rather along despite
	due based`)

var numberWords = wordSet(`zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
	seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands
	million millions billion dozen dozens half twice triple percent`)
