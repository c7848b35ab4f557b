import type { State } from '../json.ts';
import type { LanguageModel } from './language-model.ts';
import type { Registered } from './registered.ts';

/** Makes language models of one provider. */
export interface ModelProvider extends Registered<'model-provider'> {
  accepts(model: string): boolean;
  create(model: string, settings: State): LanguageModel;
}
