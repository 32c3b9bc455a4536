import type { Permission, PermissionCheck } from '../access/permission.js';
import { asTrellisError, type ErrorCode } from '../model/error.js';

/** What a caller asked for and did not get; for the log, never for the caller. */
export interface DeniedCall {
  readonly tool?: string;
  readonly resource?: string;
  /** What it takes, one of which the caller lacks. Left out: there is no such thing, or it is not offered here. */
  readonly missingPermissions?: readonly Permission[];
}

/** What is not for a caller looks to them as if it were not there. */
const concealingCodes: readonly ErrorCode[] = [
  'UNKNOWN_TOOL',
  'UNKNOWN_RESOURCE',
  'COMMIT_NOT_FOUND',
  'BRANCH_NOT_FOUND',
  'QUERY_NOT_FOUND',
  'FORBIDDEN',
];

/** Runs something, and tells `denied` if it failed because of what the caller may not do, or for want of such a thing. */
export async function withDenialReport<
  B extends { readonly may: PermissionCheck; readonly denied?: (refusal: DeniedCall) => void },
  T,
>(binding: B, asked: Omit<DeniedCall, 'lacking'>, work: (binding: B) => Promise<T>): Promise<T> {
  const { may, denied } = binding;
  if (denied === undefined) return work(binding);
  let lacking: readonly Permission[] | undefined;
  const remembering: PermissionCheck = (permissions) => {
    const allowed = may(permissions);
    if (!allowed) lacking ??= permissions;
    return allowed;
  };
  try {
    return await work({ ...binding, may: remembering });
  } catch (thrown) {
    const { code } = asTrellisError(thrown);
    const isUnknown = code === 'UNKNOWN_TOOL' || code === 'UNKNOWN_RESOURCE';
    if (lacking !== undefined && concealingCodes.includes(code))
      denied({ ...asked, missingPermissions: lacking });
    else if (isUnknown) denied(asked);
    throw thrown;
  }
}
