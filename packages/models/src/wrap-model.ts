import type { LanguageModel } from '@agent-criteria/core';

/** Replaces the `generate` method of a model. */
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
