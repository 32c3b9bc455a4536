/**
 * Characters that a reviewer of a schema file does not see but a model reads: control characters, direction marks,
 * zero-width characters, tags. They can hide instructions.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const everyInvisible = new RegExp(invisible, 'gu');

/** Why a text must not reach a model. */
export function invisibleCharacterProblem(text: string): string | undefined {
  const [character] = invisible.exec(text) ?? [];
  if (character !== undefined) return `contains ${kindOf(character)} (${codePoint(character)})`;
  if (!text.isWellFormed()) return 'contains half of a surrogate pair, which is not valid Unicode';
  return undefined;
}

/** Makes such characters visible and harmless in messages. */
export function escapeInvisible(text: string): string {
  return text.toWellFormed().replace(everyInvisible, (character) => `\\u{${hex(character)}}`);
}

function kindOf(character: string): string {
  if (/\n|\r|\p{Zl}|\p{Zp}/u.test(character)) return 'a line break';
  if (/\p{Cc}/u.test(character)) return 'a control character';
  if (/\p{Bidi_Control}/u.test(character)) return 'a character that changes the direction of text';
  return 'an invisible character';
}

function codePoint(character: string): string {
  return `U+${hex(character).padStart(4, '0')}`;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
