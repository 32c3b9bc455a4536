export interface ModelPrompt {
  readonly system: string;
  readonly user: string;
}

/** Writes short texts. It may be slow, wrong or unavailable, so nothing may depend on it. */
export interface LanguageModel {
  /** Provider and model, for messages. */
  readonly id: string;
  write(prompt: ModelPrompt, signal: AbortSignal): Promise<string>;
}
