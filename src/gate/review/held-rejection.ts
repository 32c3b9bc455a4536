import { TrellisError } from '../../model/error.js';

/** A rejection of a write that would have been held: it may tell what the branch for review holds. */
export class HeldRejection extends TrellisError {
  readonly branch: string;

  constructor(branch: string, rejection: TrellisError) {
    const { code, message, hint, details, publicMessage, withoutRead } = rejection;
    super(code, message, {
      ...(hint === undefined ? {} : { hint }),
      ...(withoutRead === undefined ? {} : { withoutRead }),
      publicMessage,
      details: { ...details, branch },
      cause: rejection,
    });
    this.branch = branch;
  }
}
