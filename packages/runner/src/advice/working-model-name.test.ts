import { describe, expect, it } from 'vitest';
import { knownProviders } from './known-plugins.ts';
import { workingModelName } from './working-model-name.ts';

describe('workingModelName() for a LiteLLM name', () => {
  it.each([
    ['gemini/gemini-2.5-flash', 'write "gemini-2.5-flash"'],
    ['vertex_ai/gemini-2.5-pro', 'write "gemini-2.5-pro"'],
    ['ollama_chat/qwen3:8b', 'write "ollama/qwen3:8b"'],
    ['hosted_vllm/Qwen/Qwen3-8B', 'write "vllm/Qwen/Qwen3-8B"'],
    ['gpt-5-mini', 'write "openai/gpt-5-mini"'],
    ['o3', 'write "openai/o3"'],
    [
      'groq/llama-3.3-70b-versatile',
      'write "openai/llama-3.3-70b-versatile" and set OPENAI_BASE_URL=https://api.groq.com/openai/v1 ',
    ],
    ['claude-opus-4-8', 'write "openai/claude-opus-4-8" and set OPENAI_BASE_URL=https://api.anthropic.com/v1 '],
    ['anthropic/claude-sonnet-4-5', 'write "openai/claude-sonnet-4-5" and set OPENAI_BASE_URL='],
  ])('suggests a name that works: %s', (name, advice) => {
    const told = workingModelName(name) ?? '';
    expect(told).toContain(advice);
    const written = /"(.+?)"/.exec(told)?.[1] ?? '';
    expect(knownProviders.some(({ accepts }) => accepts.test(written))).toBe(true);
  });

  it.each(['openai/gpt-4o', 'gemini-2.5-flash', 'sonnet', 'mine/model', 'toString/x', 'ollama/a'])(
    'returns null for %s',
    (name) => {
      expect(workingModelName(name)).toBeNull();
    },
  );
});
