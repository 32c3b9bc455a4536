import { TrellisError } from '../model/error.js';

/** Where a graph database is, and who connects to it. */
export interface CypherSettings {
  readonly url: string;
  /** Default: the database or graph that the server chooses. */
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** How long an answer may take; default: two minutes. */
  readonly answerMs?: number | undefined;
}

/** Longer than any query of Trellis takes, but not for ever: a server may hang, or a network drop what it should carry. */
export const defaultAnswerMs = 120_000;

const boltSchemes = ['bolt:', 'bolt+s:', 'bolt+ssc:', 'neo4j:', 'neo4j+s:', 'neo4j+ssc:'];
const falkorSchemes = ['falkor:', 'falkors:'];

export const cypherSchemes: readonly string[] = [...boltSchemes, ...falkorSchemes];

export function isCypherUrl(text: string): boolean {
  return cypherSchemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}//`));
}

export function isFalkorUrl(text: string): boolean {
  return falkorSchemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}//`));
}

/** Passwords in a URL would be seen by everybody who lists processes, and end up in logs. */
export function checkCypherUrl(text: string): URL {
  const url = isCypherUrl(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '')
    throw new TrellisError('USAGE', `${JSON.stringify(text)} is not the address of a graph database.`, {
      hint: `Use ${cypherSchemes.map((scheme) => `${scheme}//`).join(', ')} with a host and a port.`,
    });
  if (url.username !== '' || url.password !== '')
    throw new TrellisError('USAGE', `The address of ${url.hostname} contains a user or a password.`, {
      hint: 'Set auth.user and auth.password_env in the configuration, or TRELLIS_GATE_USER and TRELLIS_GATE_PASSWORD.',
    });
  return url;
}
