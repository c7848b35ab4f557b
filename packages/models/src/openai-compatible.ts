export { type OpenAiCompatibleOptions, openAiCompatible } from './openai-compatible/model.ts';
export { lmstudio, ollama, openai, openrouter, vllm } from './openai-compatible/providers.ts';
