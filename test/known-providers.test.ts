import type { ModelProvider, Plugin } from '@agent-criteria/core';
import * as gemini from '@agent-criteria/model-gemini/pure';
import * as openAiCompatible from '@agent-criteria/models/openai-compatible';
import { knownProviders } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';

const entries: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '@agent-criteria/model-gemini/pure': gemini,
  '@agent-criteria/models/openai-compatible': openAiCompatible,
};

const isProvider = (value: unknown): value is ModelProvider =>
  typeof value === 'object' && value !== null && (value as Plugin).kind === 'model-provider';

const names = [
  'gemini-2.5-flash',
  'models/gemini-2.5-pro',
  'projects/p/locations/l/publishers/google/models/gemini-3.5-flash',
  ...['openai', 'ollama', 'vllm', 'lmstudio', 'openrouter'].map((name) => `${name}/a/b:c`),
  ...['openai/', 'openai', 'gpt-5', 'ollama/gemini-x', 'gemini', 'projects/p/models/gemini-x', 'x/y'],
];

describe.each(knownProviders)('the known provider $package', (known) => {
  const providers = Object.values(entries[known.entry] ?? {}).filter(isProvider);

  it('lists the names of its providers', () => {
    expect(known.names.split(', ').sort()).toEqual(providers.map((provider) => provider.names).sort());
  });

  it.each(names)('accepts the model name %s if and only if a provider does', (name) => {
    expect(known.accepts.test(name)).toBe(providers.some((provider) => provider.accepts(name)));
  });
});
