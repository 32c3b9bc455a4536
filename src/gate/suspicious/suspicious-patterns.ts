/** How text addresses a model instead of stating a fact. */
export interface SuspiciousPattern {
  readonly name: string;
  /** For people. */
  readonly about: string;
  /** One of them is enough. Bounded, so that no text takes long. */
  readonly expressions: readonly RegExp[];
  /** Whether it looks for what readers cannot see, which is removed before the others look. */
  readonly raw?: true;
}

/** Where an order begins: after other text, such words are usually a report about one. */
const order = String.raw`(?:^|[\n.!?:;>"'“”*()\[\]-]|\bplease|\bkindly|\balso|\bjust|\bnow|\bthen|\band|\bbut|\byou (?:must|should|will|can|shall|need to|have to|are to))\s*`;
const earlier = '(?:previous|prior|above|earlier|preceding|existing|current|original|system)';
const some = String.raw`(?:(?:all|any|every|each|the|your|my|of|these|those|other)\s+){0,4}`;

/** A small list: it finds what is copied around, not what somebody hides with care. */
export const suspiciousPatterns: readonly SuspiciousPattern[] = [
  {
    name: 'ignore_instructions',
    about: 'orders to ignore earlier instructions',
    expressions: [
      new RegExp(
        `${order}(?:ignore|disregard|forget|override|bypass)\\s+${some}${earlier}\\s+(?:(?:system|safety|user)\\s+)?(?:instructions?|prompts?|guidelines|directives|commands|messages?)\\b`,
        'iu',
      ),
      new RegExp(
        `${order}(?:ignore|disregard|forget)\\s+(?:everything|anything|all)\\s+(?:above|before this|you (?:were|have been) told|you know about your (?:rules|instructions))\\b`,
        'iu',
      ),
      new RegExp(
        `${order}(?:ignore|disregard|forget)\\s+${some}instructions\\s+(?:above|before this|you (?:were|have been) given)\\b`,
        'iu',
      ),
      /\bignorier(?:e|en sie|t)\s+(?:alle\s+|die\s+|sämtliche\s+){0,2}(?:vorherigen|bisherigen|obigen|früheren)\s+(?:anweisungen|befehle|instruktionen)\b/iu,
      /\bignore[rz]?\s+(?:toutes\s+)?(?:les|tes|vos)\s+(?:instructions|consignes)\s+(?:précédentes|antérieures|ci-dessus)/iu,
      /\bignor[ae]\s+(?:todas\s+)?(?:las|tus)\s+instrucciones\s+(?:anteriores|previas)\b/iu,
    ],
  },
  {
    name: 'role_markup',
    about: 'markup that separates the roles of a conversation with a model',
    expressions: [
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id)\|>/iu,
      /\[\/?INST\]|<<\/?SYS>>/u,
      /<\/?(?:system[-_](?:prompt|reminder|message|instructions?))>/iu,
      /<system>[^<]{0,200}\b(?:you (?:must|are|will|should)|ignore|always|never)\b/iu,
      /(?:^|\n)#{2,4}\s*(?:system|assistant|human|instruction)\s*:\s*\n/iu,
      /(?:^|\n)\s*(?:Human|User):[^\n]{0,500}\n+\s*Assistant:/u,
    ],
  },
  {
    name: 'new_role',
    about: 'tells a model that it is something else now',
    expressions: [
      /\byou are (?:now|no longer)\s+[^.\n]{0,40}\b(?:an? ai\b|chatbot|language model|unrestricted|jailbroken|developer mode|\bDAN\b|bound by|assistant(?! (?:manager|director|professor|coach|editor|to\b)))/iu,
      new RegExp(
        `${order}(?:enter|enable|activate|switch (?:in)?to)\\s+(?:developer|god|jailbreak|dan|unrestricted)\\s+mode\\b`,
        'iu',
      ),
    ],
  },
  {
    name: 'reveal_prompt',
    about: 'orders to reveal the prompt of a model',
    expressions: [
      new RegExp(
        `${order}(?:reveal|print|output|repeat|show|send|leak|disclose|tell me)\\s+(?:me\\s+|us\\s+)?(?:the\\s+full\\s+|all\\s+of\\s+)?(?:your|the)\\s+(?:full\\s+|entire\\s+)?(?:system prompt|system message|hidden instructions|initial (?:instructions|prompt))\\b`,
        'iu',
      ),
    ],
  },
  {
    name: 'tool_call_markup',
    about: 'markup of a call to a tool, or of its result',
    expressions: [
      /<\/?(?:tool_calls?|function_calls?|tool_use|tool_results?|function_results?)\b[^>\n]{0,200}>/iu,
      /<\/?(?:antml:)?invoke\s+name\s*=/iu,
      /"tool_calls"\s*:\s*\[\s*\{/iu,
    ],
  },
  {
    name: 'hidden_characters',
    about: 'characters that people do not see and models read',
    raw: true,
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
    expressions: [
      /!\[[^[\]\n]{0,200}\]\(\s*https?:\/\/[^)\s?]{1,500}\?[^)\s]{0,200}=\s*(?:\{|%7B|\$\{|<|\[)/iu,
      new RegExp(
        `${order}(?:send|post|forward|upload|e-?mail|exfiltrate|transmit)\\b[^.\\n]{0,60}\\b(?:conversation|chat history|api keys?|passwords?|secrets?|credentials|environment variables|private keys?|access tokens?)\\b[^.\\n]{0,60}\\b(?:to|at)\\s+(?:https?:\\/\\/|[^\\s@]{1,64}@[^\\s@]{1,64}\\.)`,
        'iu',
      ),
    ],
  },
  {
    name: 'hide_from_user',
    about: 'orders to keep something from the user',
    expressions: [
      new RegExp(
        `${order}(?:do not|don't|never)\\s+(?:tell|inform|alert|notify)\\s+(?:the\\s+)?(?:user|human)s?\\s+(?:about|of|that)\\s+(?:this|these|it|you)\\b`,
        'iu',
      ),
      new RegExp(
        `${order}(?:do not|don't|never)\\s+mention\\s+(?:this|it|these instructions)\\s+to\\s+(?:the\\s+)?(?:user|human)`,
        'iu',
      ),
    ],
  },
  {
    name: 'addressed_to_model',
    about: 'instructions for whichever model reads it',
    expressions: [
      /(?:^|[\n.!>])\s*(?:attention|important|note (?:to|for)|message (?:to|for)|instructions? (?:to|for))[\s:,-]{1,3}(?:all\s+|any\s+|the\s+)?(?:ai|llm|language model|ai assistant|ai agent|assistant|chatbot)s?\s*[:,!-]/iu,
      /\b(?:when|if|once)\s+(?:you|an?\s+(?:ai|agent|assistant|llm|model))\s+(?:reads?|sees?|process(?:es)?|retrieves?|summari[sz]es?)\s+this\b[^.\n]{0,60}\b(?:you must|must|call|run|execute|send|always|reply|respond|output)\b/iu,
    ],
  },
];
