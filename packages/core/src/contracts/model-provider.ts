import type { State } from '@agent-criteria/formats';
import type { LanguageModel } from './language-model.ts';
import type { Registered } from './registered.ts';

/** Makes language models of one provider, by name. The model's `access` reports a missing key, not `create`. */
export interface ModelProvider extends Registered<'model-provider'> {
  /** Which names it understands, for people, as "gemini-…". */
  readonly names?: string | undefined;
  accepts(model: string): boolean;
  create(model: string, settings: State): LanguageModel;
}
