import type { LanguageModel } from '@agent-criteria/core';

/** The same model, answering in another way. */
export function wrapModel(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  const { access } = model;
  return {
    id: model.id,
    generate,
    ...(access === undefined ? {} : { access: (environment) => access.call(model, environment) }),
  };
}
