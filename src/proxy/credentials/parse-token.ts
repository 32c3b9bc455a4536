import { isBearerToken } from '../../access/bearer-token.js';
import { TrellisError } from '../../model/error.js';

/** Messages never show the text. */
export function parseToken(text: string, source: string): string {
  const token = text.trim();
  if (isBearerToken(token)) return token;
  throw new TrellisError('CREDENTIALS_UNAVAILABLE', `${source} does not contain a token.`, {
    hint: 'A token is one word of letters, digits and - . _ ~ + /, and nothing else.',
  });
}
