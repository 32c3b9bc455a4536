export const rerankProviders = ['none', 'http'] as const;
export type RerankProvider = (typeof rerankProviders)[number];

/** The block `rerank:` of the configuration. */
export interface RerankSettings {
  readonly provider: RerankProvider;
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Default: 2,000. */
  readonly timeoutMs?: number | undefined;
  /** How many of the best texts are reranked. Default: 50. */
  readonly candidates?: number | undefined;
}

export const maxRerankCandidates = 200;
