/** LiteLLM prefixes, and the prefixes that our providers use instead. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/^(?:gemini|google|vertex_ai)\/(?=gemini-)/, ''],
  [/^ollama_chat\//, 'ollama/'],
  [/^hosted_vllm\//, 'vllm/'],
  [/^lm_studio\//, 'lmstudio/'],
  [/^(?=gpt-|chatgpt-|o[1-9](?:-|$))/, 'openai/'],
];

/** Base URLs of OpenAI-compatible services, by LiteLLM prefix. */
const COMPATIBLE: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  fireworks_ai: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  together_ai: 'https://api.together.xyz/v1',
  xai: 'https://api.x.ai/v1',
};

/** Suggests a replacement for an ADK or LiteLLM model name, or returns `null` if there is none. */
export function workingModelName(name: string): string | null {
  for (const [pattern, prefix] of RENAMED) {
    const renamed = name.replace(pattern, prefix);
    if (renamed !== name) return `write "${renamed}"`;
  }
  const [, service = '', model = ''] = /^([^/]+)\/(.+)$/s.exec(name.replace(/^(?=claude-)/, 'anthropic/')) ?? [];
  const url = Object.hasOwn(COMPATIBLE, service) ? COMPATIBLE[service] : undefined;
  if (url === undefined) return null;
  return `write "openai/${model}" and set OPENAI_BASE_URL=${url} and OPENAI_API_KEY to your key there`;
}
