/**
 * Forms of keys that their issuers publish, and what follows a word for a secret. What can match at many places is
 * bounded: a long text must not take time that grows with its square.
 */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|npm_|hf_|dop_v1_|shpat_|trellis_)[A-Za-z0-9_-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,500}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]{1,200}:[^\s@]{1,200}@/gi,
  /\b(?:pass(?:word|wd|phrase)?|secret|token|api[-_ ]?key|access[-_ ]?key|bearer|authorization)\b["']?(?:\s*(?:[:=]|\bis\b)\s*|\s+(?=\S*\d))["']?[^\s"']{4,}/gi,
  // Long words that mix letters and digits, as random keys do; shorter ones may be hashes of commits.
  /\b(?=[A-Za-z0-9+/_=-]{0,200}\d)(?=[A-Za-z0-9+/_=-]{0,200}[A-Z])(?=[A-Za-z0-9+/_=-]{0,200}[a-z])[A-Za-z0-9+_=-]{32,}/g,
  /\b[0-9a-f]{41,}\b/gi,
];

/** Replaces what looks like a key. It errs on the side of dropping too much, and still cannot know every secret. */
export function dropSecrets(text: string): string {
  return patterns.reduce((kept, pattern) => kept.replace(pattern, '[removed]'), text);
}
