import type { State } from '@agent-criteria/formats';
import type { LanguageModel } from './language-model.ts';
import type { Registered } from './registered.ts';

/**
 * Creates one provider's language models by name. A missing key is reported by the model's `access`, not by `create`.
 */
export interface ModelProvider extends Registered<'model-provider'> {
  /** The names that it accepts, in readable form, such as "gemini-…". */
  readonly names?: string | undefined;
  accepts(model: string): boolean;
  create(model: string, settings: State): LanguageModel;
}
