import type { LanguageModel } from '@agent-criteria/core';

/** The same model, answering in another way. */
export function wrapModel(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  const { access, settings } = model;
  return {
    id: model.id,
    generate,
    ...(settings === undefined ? {} : { settings }),
    ...(access === undefined ? {} : { access: (environment) => access.call(model, environment) }),
  };
}
