/** How text addresses a model instead of stating a fact. */
export interface SuspiciousPattern {
  readonly name: string;
  /** For people. */
  readonly about: string;
  /**
   * How every match begins: the expressions are tried only there. Without it, they look for what readers cannot see,
   * which is removed before the others look.
   */
  readonly begins?: string;
  /** One of them is enough. Bounded, so that no text takes long. */
  readonly expressions: readonly RegExp[];
}

/** Between words: white space, emphasis, or underscores instead of spaces. */
const gap = '[\\s_*~`]{1,5}';

/** Where an order begins: after other words, such words are usually a report about one. */
const beforeOrder = `(?:^|\\n|(?!_)[\\p{P}\\p{S}]|(?<![\\p{L}\\p{N}_])${spaced(
  '(?:please|kindly|also|just|now|then|and|but|you (?:must|should|will|shall|need to|have to|are to))',
)})[\\s_*~\`]{0,5}`;

const lineStart = '(?<=(?:^|\\n)\\s?)';
const wordEnd = '(?![\\p{L}\\p{N}])';

function spaced(source: string): string {
  return source.replaceAll(' ', gap);
}

/** An order that begins with these words. */
function order(source: string): RegExp {
  return new RegExp(`(?<=${beforeOrder})${spaced(source)}${wordEnd}`, 'iuy');
}

/** These words, wherever they are. */
function phrase(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${spaced(source)}${wordEnd}`, 'iuy');
}

const earlier = '(?:previous|prior|above|earlier|preceding|existing|current|original|system)';
const some = '(?:(?:all|any|every|each|the|your|my|of|these|those|other) ){0,4}';
const secrets = '(?:api keys?|passwords?|secrets?|credentials|private keys?|access tokens?)';

/** A small list: it finds what is copied around, not what somebody hides with care. */
export const suspiciousPatterns: readonly SuspiciousPattern[] = [
  {
    name: 'ignore_instructions',
    about: 'orders to ignore earlier instructions',
    begins: 'ignor|disregard|forget|override|bypass',
    expressions: [
      order(
        `(?:ignore|disregard|forget) ${some}${earlier} (?:(?:system|safety|user) )?(?:instructions?|prompts?|guidelines|directives)`,
      ),
      order(
        `(?:ignore|disregard|forget|override|bypass) (?:all (?:of )?)?your (?:${earlier} )?(?:safety )?(?:instructions|guidelines|directives|rules|(?:system|initial) prompt)`,
      ),
      order(
        '(?:ignore|disregard|forget) (?:everything|anything|all) (?:above|before this|you (?:were|have been) told|you know about your (?:rules|instructions))',
      ),
      order(
        `(?:ignore|disregard|forget) ${some}instructions (?:above|before this|you (?:were|have been) given)`,
      ),
      phrase(
        'ignorier(?:e|en sie|t) (?:(?:alle|die|sämtliche) ){0,2}(?:vorherigen|bisherigen|obigen|früheren) (?:anweisungen|befehle|instruktionen)',
      ),
      phrase(
        'ignore[rz]? (?:toutes )?(?:les|tes|vos) (?:instructions|consignes) (?:précédentes|antérieures|ci-dessus)',
      ),
      phrase('ignor[ae] (?:todas )?(?:las|tus) instrucciones (?:anteriores|previas)'),
    ],
  },
  {
    name: 'role_markup',
    about: 'markup that separates the roles of a conversation with a model',
    begins: '<\\||\\[/?INST\\]|<</?SYS>|</?system|(?<!#)##|human:',
    expressions: [
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id)\|>/iuy,
      /\[\/?INST\]|<<\/?SYS>>/uy,
      /<\/?(?:system[-_](?:prompt|reminder|message|instructions?))>/iuy,
      /<system>[^<]{0,200}\b(?:you (?:must|are|will|should)|ignore|always|never)\b/iuy,
      /(?<=^|\n)#{2,4}\s*(?:system|assistant|human|instruction)\s*:\s*\n/iuy,
      new RegExp(`${lineStart}Human:[^\\n]{0,500}\\n\\s?Assistant:`, 'uy'),
    ],
  },
  {
    name: 'new_role',
    about: 'tells a model that it is something else now',
    begins: `${spaced('you are no')}|enter|enable|activate|switch|assistant|chatbot|(?<![a-z])ai(?![a-z])`,
    expressions: [
      phrase(
        'you are (?:now|no longer) [^.\\n]{0,40}(?<![\\p{L}\\p{N}])(?:an? ai|chatbot|language model|unrestricted|jailbroken|developer mode|DAN|bound by|assistant(?! (?:manager|director|professor|coach|editor|to)))',
      ),
      order('(?:enter|enable|activate|switch (?:in)?to) (?:jailbreak|dan|unrestricted) mode'),
      order('(?:ai|assistant|chatbot)[,:]? (?:enter|enable|activate|switch (?:in)?to) developer mode'),
    ],
  },
  {
    name: 'reveal_prompt',
    about: 'orders to reveal the prompt of a model',
    begins: `reveal|print|output|repeat|show|send|leak|disclose|${spaced('tell me')}`,
    expressions: [
      order(
        "(?:reveal|print|output|repeat|show|send|leak|disclose|tell me) (?:(?:me|us) )?(?:all of )?(?:your|the (?:assistant|model|ai)['’]s) (?:(?:full|entire) )?(?:system prompt|system message|hidden instructions|initial (?:instructions|prompt))",
      ),
    ],
  },
  {
    name: 'tool_call_markup',
    about: 'markup of a call to a tool, or of its result',
    begins: '</?(?:tool_|function_|antml:|invoke)|"tool_calls"',
    expressions: [
      /<\/?(?:tool_calls?|function_calls?|tool_use|tool_results?|function_results?)\b[^>\n]{0,200}>/iuy,
      /<\/?(?:antml:)?invoke\s+name\s*=/iuy,
      /"tool_calls"\s*:\s*\[\s*\{/iuy,
    ],
  },
  {
    name: 'hidden_characters',
    about: 'characters that people do not see and models read',
    expressions: [
      // Tags, except in the flags of regions, which begin with a black flag.
      /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,10})[\u{E0000}-\u{E007F}]/u,
      /[\u202D\u202E]/u,
      /[\u200B-\u200D\u2060-\u2064\uFEFF]{8}/u,
      /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{4}/u,
    ],
  },
  {
    name: 'send_data_away',
    about: 'orders to send private data somewhere, or an address that would carry it',
    begins: '!\\[|send|post|forward|upload|e-?mail|exfiltrate|transmit',
    expressions: [
      /!\[[^[\]\n]{0,200}\]\(\s*https?:\/\/[^)\s?]{1,500}\?[^)\s]{0,200}=\s*(?:\{|%7B|\$\{|<|\[)/iuy,
      order(
        `(?:send|post|forward|upload|e-?mail|exfiltrate|transmit) [^.\\n]{0,60}(?:(?:whole|entire|full|complete|your) (?:conversation|chat history)|user['’]?s?['’]? ${secrets}|${secrets} (?:of the user|you (?:know|have|find|can))|your environment variables)${wordEnd}[^.\\n]{0,60} (?:to|at) (?:https?:\\/\\/|[^\\s@]{1,64}@[^\\s@]{1,64}\\.)[^\\s]{1,5}`,
      ),
    ],
  },
  {
    name: 'hide_from_user',
    about: 'orders to keep something from the user',
    begins: `${spaced('do not')}|don['’]t|never`,
    expressions: [
      order(
        "(?:do not|don['’]t|never) (?:tell|inform|alert|notify) (?:the )?(?:user|human)s? (?:about|of|that) (?:this|these|it|you)",
      ),
      order("(?:do not|don['’]t|never) mention (?:this|it|these instructions) to (?:the )?(?:user|human)s?"),
    ],
  },
  {
    name: 'addressed_to_model',
    about: 'instructions for whichever model reads it',
    begins: `attention|important|(?:note|message|instructions?) ?(?:to|for)|${spaced('(?:when|if|once) (?:you|an?) ')}`,
    expressions: [
      /(?<=(?:^|[\n.!>])[\s*_]{0,4})(?:attention|important|note (?:to|for)|message (?:to|for)|instructions? (?:to|for))[\s:,*_-]{1,5}(?:all\s+|any\s+|the\s+)?(?:ai|llm|language model|ai assistant|ai agent|assistant|chatbot)s?\s*[:,!-]/iuy,
      phrase(
        '(?:when|if|once) (?:you|an? (?:ai|agent|assistant|llm|model)) (?:reads?|sees?|process(?:es)?|retrieves?|summari[sz]es?) this(?![\\p{L}\\p{N}])[^.\\n]{0,60}(?<![\\p{L}\\p{N}])(?:you must|must|call|run|execute|send|always|reply|respond|output)',
      ),
    ],
  },
];

const sought = suspiciousPatterns.flatMap(({ begins, ...pattern }) =>
  begins === undefined ? [] : [{ ...pattern, begins, beginning: new RegExp(begins, 'iy') }],
);
const hidden = suspiciousPatterns.filter(({ begins }) => begins === undefined);
const beginnings = sought.map(({ begins }) => begins).join('|');

/** The names of the patterns that a text matches as readers see it. */
export function matchVisible(text: string): readonly string[] {
  const beginning = new RegExp(beginnings, 'gi');
  const found = new Set<string>();
  for (let hit = beginning.exec(text); hit !== null; hit = beginning.exec(text)) {
    const { index } = hit;
    for (const { name, expressions, beginning: own } of sought)
      if (
        !found.has(name) &&
        matchesAt(own, text, index) &&
        expressions.some((expression) => matchesAt(expression, text, index))
      )
        found.add(name);
    // The next one may begin inside this one.
    beginning.lastIndex = index + 1;
  }
  return [...found];
}

function matchesAt(expression: RegExp, text: string, index: number): boolean {
  expression.lastIndex = index;
  return expression.test(text);
}

/** The names of the patterns that what readers cannot see matches. */
export function matchHidden(text: string): readonly string[] {
  return hidden
    .filter(({ expressions }) => expressions.some((expression) => expression.test(text)))
    .map(({ name }) => name);
}
