import { afterEach, beforeEach, describe } from 'vitest';
import { branchesConformance } from './branches.js';
import { collectingConformance } from './collecting.js';
import { commitsConformance } from './commits.js';
import { StoreContext, type StoreUnderTest } from './context.js';
import { derivedReadsConformance } from './derived-reads.js';
import { graphDeletionConformance } from './graph-deletion.js';
import { graphsConformance } from './graphs.js';
import { historyConformance } from './history.js';
import { lifecycleConformance } from './lifecycle.js';
import { longReadsConformance } from './long-reads.js';
import { matchingConformance } from './matching.js';
import { mergedHistoriesConformance } from './merged-histories.js';
import { provenanceConformance } from './provenance.js';
import { randomHistoriesConformance } from './random-histories.js';
import { rejectionsConformance } from './rejections.js';
import { rowsConformance } from './rows.js';
import { schemasConformance } from './schemas.js';
import { similarPairsConformance } from './similar-pairs.js';
import { spellingConformance } from './spelling.js';
import { textConformance } from './text.js';
import { vectorsConformance } from './vectors.js';
import { watchingConformance } from './watching.js';

/** What every store must do; each kind of store runs it unchanged, for the capabilities it declares. */
export function storeConformance(kind: StoreUnderTest): void {
  describe(`${kind.name}: the store contract`, () => {
    const context = new StoreContext(kind);
    beforeEach(() => context.open());
    afterEach(() => context.close());

    lifecycleConformance(context);
    rowsConformance(context);
    longReadsConformance(context);
    matchingConformance(context);
    spellingConformance(context);
    provenanceConformance(context);
    textConformance(context);
    commitsConformance(context);
    historyConformance(context);
    graphsConformance(context);
    graphDeletionConformance(context);
    branchesConformance(context);
    derivedReadsConformance(context);
    vectorsConformance(context);
    similarPairsConformance(context);
    mergedHistoriesConformance(context);
    collectingConformance(context);
    randomHistoriesConformance(context);
    rejectionsConformance(context);
    schemasConformance(context);
    watchingConformance(context);
  });
}
