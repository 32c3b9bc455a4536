/** The header that binds a request to a branch. */
export const branchHeader = 'X-Trellis-Branch';
