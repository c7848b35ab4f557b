import type { ModelProvider } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { geminiModel } from './gemini-model.ts';

/**
 * The provider of Gemini models by name: `gemini-2.5-flash`, `models/gemini-2.5-flash`, or a whole resource name of Vertex AI,
 * `projects/P/locations/L/publishers/google/models/gemini-2.5-flash`. The settings of `create` are a
 * `GenerateContentConfig`, in either spelling.
 */
export const gemini: ModelProvider = {
  kind: 'model-provider',
  specVersion: 1,
  name: 'gemini',
  origin: { package: manifest.name, version: manifest.version },
  names: 'gemini-…',
  accepts: (model) =>
    /^(?:models\/|projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/)?gemini-/.test(model),
  create: (model, settings) => geminiModel({ model, settings }),
};
