/**
 * About how many tokens a text has: one for four characters of ASCII, and one for each other character. Tokenizers
 * differ; for English prose and code this is within a fifth of them.
 */
export function estimateTokens(text: string): number {
  const others = text.replace(/[\0-\x7f]/g, '').length;
  return Math.ceil((text.length - others) / 4) + others;
}
