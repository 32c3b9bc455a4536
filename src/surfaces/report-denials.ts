import type { Permission, PermissionCheck } from '../access/permission.js';
import { asTrellisError, type ErrorCode } from '../model/error.js';
import type { RequestContext } from './request-context.js';

/** For the log, never for the caller. */
export interface DeniedCall {
  readonly tool?: string;
  readonly resource?: string;
  /** Absent if the tool or resource does not exist or is not offered here. */
  readonly missingPermissions?: readonly Permission[];
}

/** Codes that hide from a caller what exists. */
const concealingCodes: readonly ErrorCode[] = [
  'UNKNOWN_TOOL',
  'UNKNOWN_RESOURCE',
  'COMMIT_NOT_FOUND',
  'BRANCH_NOT_FOUND',
  'QUERY_NOT_FOUND',
  'FORBIDDEN',
];

/** Calls `onDenied` if the work fails because a permission or the thing itself is missing. */
export async function withDenialReport<T>(
  context: RequestContext,
  requested: Pick<DeniedCall, 'tool' | 'resource'>,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const { may, onDenied } = context;
  if (onDenied === undefined) return work(context);
  let lacking: readonly Permission[] | undefined;
  const remembering: PermissionCheck = (permissions) => {
    const allowed = may(permissions);
    if (!allowed) lacking ??= permissions;
    return allowed;
  };
  try {
    return await work({ ...context, may: remembering });
  } catch (thrown) {
    const { code } = asTrellisError(thrown);
    const isUnknown = code === 'UNKNOWN_TOOL' || code === 'UNKNOWN_RESOURCE';
    if (lacking !== undefined && concealingCodes.includes(code))
      onDenied({ ...requested, missingPermissions: lacking });
    else if (isUnknown) onDenied(requested);
    throw thrown;
  }
}
