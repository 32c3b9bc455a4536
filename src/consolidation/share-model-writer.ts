import { type LlmSettings, languageModel } from '../llm/llm-settings.js';
import { type ResourceLease, SharedResource } from '../search/embedding/shared-resource.js';
import type { Store } from '../store/store-contract.js';
import { ModelWriter } from './model-writer.js';

const shared = new SharedResource<ModelWriter>(async (writer) => writer.close());

export function activeModelWriters(store: Store): readonly ModelWriter[] {
  return shared.active(store);
}

/**
 * One writer per store and settings, so that all surfaces of a process share its limits and cache; null without a
 * model.
 */
export function shareModelWriter(
  store: Store,
  settings: LlmSettings | undefined,
): ResourceLease<ModelWriter> | null {
  const model = languageModel(settings);
  if (settings === undefined || model === null) return null;
  return shared.acquire(store, settings, () => new ModelWriter(model, settings));
}
