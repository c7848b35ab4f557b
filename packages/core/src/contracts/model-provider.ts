import type { State } from '../json.ts';
import type { LanguageModel } from './language-model.ts';
import type { Registered } from './registered.ts';

/** Makes language models of one provider, by name. A missing key is told by the model's `access`, not by `create`. */
export interface ModelProvider extends Registered<'model-provider'> {
  /** Which names it understands, for people, as "gemini-…". */
  readonly names?: string | undefined;
  accepts(model: string): boolean;
  create(model: string, settings: State): LanguageModel;
}
