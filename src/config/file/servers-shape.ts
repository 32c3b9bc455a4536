import { z } from 'zod';
import { isRecord } from '../../model/is-record.js';
import { block, nonEmptyText, nullAsEmpty } from './config-field-shapes.js';

const address = z.url({ protocol: /^https?$/ }).refine(
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url === undefined || (url.username === '' && url.password === '');
  },
  { error: 'must not hold a password: servers take tokens' },
);

const inlinedTokenError =
  'must say where the token is, not what it is: { env: NAME }, { command: [program, argument] }, or nothing, with the token in TRELLIS_TOKEN_<NAME> or in the file of credentials';

/** Checked before the shape, whose errors quote the value, which may be a secret. */
const token = z
  .unknown()
  .superRefine((given, context) => {
    if (!isRecord(given)) context.addIssue({ code: 'custom', message: inlinedTokenError });
  })
  .pipe(
    z
      .strictObject({ env: nonEmptyText, command: z.array(nonEmptyText).min(1) })
      .partial()
      .refine(({ env, command }) => (env === undefined) !== (command === undefined), {
        error: inlinedTokenError,
      }),
  );

const named = z.preprocess(
  nullAsEmpty,
  z
    .strictObject({
      endpoint: address.optional(),
      url: address.optional(),
      bearer_token_env: nonEmptyText.optional(),
      auth: block({
        token,
        oauth: z.unknown().refine((given) => given === undefined, { error: 'is not supported: use token' }),
      }).optional(),
    })
    .refine(({ endpoint, url }) => (endpoint === undefined) !== (url === undefined), {
      error: 'must say where the server is, with endpoint or with url',
    })
    .refine(({ bearer_token_env, auth }) => bearer_token_env === undefined || auth?.token === undefined, {
      error: 'must say where the token is once: with bearer_token_env or with auth.token',
    }),
);

const serverName = z.string().regex(/^[\w.-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, _, - or .',
});

export const serversShape = z.preprocess(nullAsEmpty, z.record(serverName, named));
