import { reasonOf } from '../../model/error.js';
import { gateLimits } from '../../model/limits.js';
import type { Provenance } from '../../model/provenance.js';
import { callFormula } from '../formula/call-formula.js';
import type { PropertyJudge } from '../merge-properties.js';
import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

/**
 * Asks the formula when first called, and only once: what is trusted by one answer must not be stored with another. Accepts
 * only a number from 0 to 1.
 */
export function confidenceOf({ origin, rules }: Claim): () => number {
  let answer: (() => number) | undefined;
  return () => {
    answer ??= settled(() =>
      checked(() => rules.formula.compute(origin.reliability, origin.extraction_method)),
    );
    return answer();
  };
}

function settled<T>(compute: () => T): () => T {
  try {
    const value = compute();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Judges single properties by what is stored of them; see `FormulaProvider`. */
export function evidenceOf(
  { origin, rules }: Claim,
  confidence: number,
  now: number,
  maxConfidence = 1,
): PropertyJudge {
  const { formula } = rules;
  const wantsEvidence = formula.compute.length > 2;
  return {
    storedConfidence({ confidence: then = 0, extraction_method, last_updated }) {
      const ageMs = last_updated === undefined ? 0 : Math.max(0, now - Date.parse(last_updated));
      return checked(() => formula.age?.(then, extraction_method, ageMs) ?? then);
    },
    confidenceIn(property, stored, agrees) {
      if (!wantsEvidence) return confidence;
      const { reliability, extraction_method, source } = origin;
      // A copy: what the formula does with it must not change what is compared and stored.
      const confirms = agrees && isNewSource(source, stored);
      const evidence = { property, source, now, stored: structuredClone(stored), agrees, confirms };
      const computed = checked(() => formula.compute(reliability, extraction_method, evidence));
      return Math.min(computed, maxConfidence);
    },
    confirmedBy(stored) {
      if (!wantsEvidence) return [];
      return sourcesOf(stored)
        .filter((source) => source !== origin.source)
        .slice(0, gateLimits.sources);
    },
  };
}

/** A source that cannot be remembered would count again and again, so it does not count. */
function isNewSource(source: string, stored: Provenance): boolean {
  const sources = sourcesOf(stored);
  return sources.length <= gateLimits.sources && !sources.includes(source);
}

function sourcesOf({ source, confirmed_by = [] }: Provenance): readonly string[] {
  return [...new Set([...confirmed_by, ...(source === undefined ? [] : [source])])];
}

function checked(compute: () => unknown): number {
  let value: unknown;
  try {
    value = callFormula(compute);
  } catch (error) {
    throw formulaFailed('The formula failed', error);
  }
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw invalidOutput('The formula did not return a number from 0 to 1.', { returned: describe(value) });
}

export function formulaFailed(what: string, error: unknown): RejectedError {
  const reason = reasonOf(error);
  return invalidOutput(`${what}: ${reason.replace(/\.$/, '')}.`, { reason }, `${what}.`);
}

function invalidOutput(
  message: string,
  details: Readonly<Record<string, unknown>>,
  publicMessage?: string,
): RejectedError {
  return new RejectedError(
    'FORMULA_INVALID_OUTPUT',
    message,
    'The operator of the server must fix the formula.',
    details,
    publicMessage,
  );
}

const shownLength = 100;

/** NaN and functions have no JSON. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, shownLength));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value).slice(0, shownLength);
}
