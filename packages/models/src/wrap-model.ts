import type { LanguageModel } from '@agent-criteria/core';

/** The same model, answering in another way. */
export function wrapModel(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  const { access, settings, checkSettings } = model;
  return {
    id: model.id,
    generate,
    checkSettings: checkSettings?.bind(model),
    settings,
    access: access?.bind(model),
  };
}
