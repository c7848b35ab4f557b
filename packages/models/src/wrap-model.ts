import type { LanguageModel } from '@agent-criteria/core';

/** The same model, answering in another way. */
export function wrapModel(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  const { access, settings, checkSettings } = model;
  return {
    id: model.id,
    generate,
    ...(checkSettings === undefined ? {} : { checkSettings: (written) => checkSettings.call(model, written) }),
    ...(settings === undefined ? {} : { settings }),
    ...(access === undefined ? {} : { access: (environment) => access.call(model, environment) }),
  };
}
