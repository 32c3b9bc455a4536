import { z } from 'zod';
import { isRecord, ownValue } from '../model/is-record.js';

/** The requests that a subscription is made of, by the names that the MCP SDK has for their schemas. */
const methods = {
  SubscribeRequestSchema: 'resources/subscribe',
  UnsubscribeRequestSchema: 'resources/unsubscribe',
} as const;

export type RequestSchemaName = keyof typeof methods;

/** Not a dependency: whoever passes a server has it, and its module is most likely loaded already. */
const sdkTypes = '@modelcontextprotocol/sdk/types.js';
let sdk: unknown;
import(sdkTypes).then(
  (loaded: unknown) => {
    sdk = loaded;
  },
  () => {},
);

/** The SDK's own schema of a request, or one like it. */
export function requestSchema(name: RequestSchemaName): unknown {
  const known = isRecord(sdk) ? ownValue(sdk, name) : undefined;
  return known ?? z.object({ method: z.literal(methods[name]), params: z.looseObject({ uri: z.string() }) });
}

export function methodOf(name: RequestSchemaName): string {
  return methods[name];
}
