/** What to write, and about what. */
export interface ModelPrompt {
  readonly system: string;
  readonly user: string;
}

/** Writes short texts; it may be slow, wrong or away, so nothing may depend on it. */
export interface LanguageModel {
  /** For messages: provider and model. */
  readonly id: string;
  /** Rejects when there is no answer in time. */
  write(prompt: ModelPrompt, signal: AbortSignal): Promise<string>;
}
