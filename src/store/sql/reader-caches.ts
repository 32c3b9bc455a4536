import { StemmedTextsCache } from './query/texts/stemmed-texts-cache.js';
import { TextLengthCache } from './query/texts/text-length-cache.js';
import { VocabularyCache } from './query/texts/vocabulary-cache.js';
import type { NearestDocumentIndex } from './vectors/nearest-document-index.js';
import { NodePairIndex } from './vectors/node-pairs/node-pair-index.js';
import { QuantizedVectorCache } from './vectors/quantized-vectors.js';
import { WordStatisticsCache } from './word-statistics-cache.js';

/** What all readers of a store share. */
export class ReaderCaches {
  readonly nearest: NearestDocumentIndex;
  readonly words = new WordStatisticsCache();
  readonly lengths = new TextLengthCache();
  readonly vocabularies = new VocabularyCache();
  readonly stemmed = new StemmedTextsCache();
  readonly nodePairs = new NodePairIndex();

  constructor(nearest: NearestDocumentIndex = new QuantizedVectorCache()) {
    this.nearest = nearest;
  }

  /** After a purge, which rewrites texts without a commit. */
  forgetTexts(): void {
    this.vocabularies.clear();
    this.stemmed.clear();
  }

  close(): Promise<void> {
    return this.nodePairs.close();
  }
}
