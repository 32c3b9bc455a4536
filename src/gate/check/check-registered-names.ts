import type { Claim } from './claim.js';
import { RejectedError } from './rejected-error.js';

export function checkRegisteredNames({ names, rules }: Claim): void {
  const unknown = names.filter(({ canonical }) => canonical === undefined);
  if (unknown.length === 0) return;
  const { registry } = rules.schema;
  const isType = unknown.some(({ argument }) => argument === 'type');
  const isLabel = unknown.some(({ argument }) => argument !== 'type');
  const suggestions = unknown.flatMap(({ suggested }) => suggested ?? []);
  throw new RejectedError(
    'SCHEMA_UNKNOWN_LABEL',
    `Not in the schema: ${unknown.map(({ argument, given }) => `${argument} ${JSON.stringify(given)}`).join(', ')}.`,
    nameHint(suggestions, registry.allCanonicalLabels().length === 0),
    {
      unknown: unknown.map(({ argument, given, suggested }) => ({
        argument,
        given,
        ...(suggested === undefined ? {} : { suggested }),
      })),
      ...(isLabel ? { labels: registry.allCanonicalLabels().slice(0, maxNamesListed) } : {}),
      ...(isType ? { relationship_types: registry.allRelationTypes().slice(0, maxNamesListed) } : {}),
    },
  );
}

function nameHint(suggestions: readonly string[], isEmpty: boolean): string {
  if (isEmpty)
    return 'No label is registered yet, so nothing is let in: whoever runs the server has to add labels.';
  const meant = suggestions.length > 0 ? `Did you mean ${suggestions.join(', ')}? ` : '';
  return `${meant}Use a registered name as it stands.`;
}

/** Keeps a large registry from filling an agent's context. */
const maxNamesListed = 100;
