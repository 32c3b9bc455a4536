import type { Clock } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import type { RowQuery } from '../store/row-query.js';
import { hasWords } from '../store/text/words.js';
import { bindRead } from './bind/bind-read.js';
import { bindStatement } from './bind/bind-statement.js';
import { BoundValues } from './bind/bound-values.js';
import type { BoundStatement } from './bound-mutation.js';
import type { CheckedExpression, CheckedQuery, CheckedRead, CheckedScore } from './check/checked-query.js';
import { parseParameters } from './parse-parameters.js';

export interface BindContext {
  readonly clock: Clock;
  /** Makes the vector of a text, with that model if one is named, else throws; null if there is no embedder. */
  readonly embed:
    | ((text: string, dimension: number, model: string | null) => Promise<readonly number[]>)
    | null;
}

export type BoundQuery =
  | { readonly kind: 'read'; readonly query: RowQuery }
  | { readonly kind: 'mutation'; readonly statements: readonly BoundStatement[] };

/**
 * Gives a query its values: parameters from JSON, one time for every `now()`, and the vectors of texts that `nearest`
 * compares with. They are made here so that no read waits for an embedder.
 */
export async function bindQuery(
  query: CheckedQuery,
  parameters: unknown,
  { clock, embed }: BindContext,
): Promise<BoundQuery> {
  const { body } = query;
  const given = parseParameters(query, parameters);
  const now = clock();
  const values = new BoundValues(given, now);
  if (body.kind === 'mutation') {
    return {
      kind: 'mutation',
      statements: body.statements.map((statement) => bindStatement(statement, values)),
    };
  }
  const vectors = await embedTexts(body, values, embed);
  return { kind: 'read', query: bindRead(body, new BoundValues(given, now, vectors)) };
}

type Nearest = CheckedScore & { kind: 'nearest' };

async function embedTexts(
  { columns, order }: CheckedRead,
  values: BoundValues,
  embed: BindContext['embed'],
): Promise<ReadonlyMap<CheckedScore, readonly number[]>> {
  const scores = [...columns, ...order].flatMap(({ expression }) => nearestScores(expression));
  const vectors = new Map<CheckedScore, readonly number[]>();
  const known = new Map<string, readonly number[]>();
  for (const score of new Set(scores)) {
    const text = values.text(score.to);
    if (text === null) continue;
    if (!hasWords(text)) throw noWordsError(score.operand.property);
    const { type, property } = score.operand;
    const dimension = type?.kind === 'vector' ? type.dimension : 0;
    const { model } = score;
    const key = JSON.stringify([dimension, model, text]);
    const vector = known.get(key) ?? (await embedText(text, { dimension, model, property }, embed));
    known.set(key, vector);
    vectors.set(score, vector);
  }
  return vectors;
}

function nearestScores(expression: CheckedExpression): readonly Nearest[] {
  if (expression.kind === 'nearest') return [expression];
  return expression.kind === 'rrf' ? expression.arms.flatMap(nearestScores) : [];
}

/** Its vector would be as far from every other. */
function noWordsError(property: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `The text that nearest compares ${property} with has no letter or digit.`,
    { hint: 'Use words, or give nearest a vector.' },
  );
}

async function embedText(
  text: string,
  { dimension, model, property }: { dimension: number; model: string | null; property: string },
  embed: BindContext['embed'],
): Promise<readonly number[]> {
  if (embed === null) {
    throw embedderMismatch(
      'No embedder is configured, so texts cannot be compared by meaning.',
      'Configure an embedder, give nearest a vector, or rank with bm25.',
    );
  }
  const vector = await embed(text, dimension, model);
  if (vector.length === dimension) return vector;
  throw embedderMismatch(
    `The embedder makes vectors of ${vector.length} numbers, but ${property} is a Vector(${dimension}).`,
    'Configure the embedder that the schema was written for, or change the dimension in the schema.',
  );
}

function embedderMismatch(message: string, hint: string): TrellisError {
  return new TrellisError('EMBEDDER_UNAVAILABLE', message, { hint, publicMessage: message });
}
