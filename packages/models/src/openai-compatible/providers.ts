import type { ModelProvider, Problem } from '@agent-criteria/core';
import manifest from '../../package.json' with { type: 'json' };
import { type Connected, connected, type Environment, ollamaUrl, withVersion } from './connection.ts';
import { type Behaviour, chatModel } from './model.ts';

/** A service, or a self-hosted server, that is configured by environment variables. */
interface Service {
  /** The prefix of model names, before the slash. */
  readonly name: string;
  /** The name shown to people. */
  readonly title: string;
  readonly urlVariable: string;
  readonly url: string;
  readonly keyVariable: string;
  /** Whether `url` needs a key. */
  readonly needsKey?: boolean;
  readonly tokenLimit?: Behaviour['tokenLimit'];
  /** Reads the address from another variable. */
  host?(environment: Environment): { readonly variable: string; readonly url: string } | undefined;
}

/** OpenAI: `openai/gpt-5-mini`. Reads `OPENAI_API_KEY` and `OPENAI_BASE_URL`. */
export const openai: ModelProvider = provider({
  name: 'openai',
  title: 'OpenAI',
  urlVariable: 'OPENAI_BASE_URL',
  url: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  needsKey: true,
  tokenLimit: 'max_completion_tokens',
});

/** Ollama: `ollama/qwen3:8b`. Reads `OLLAMA_BASE_URL`, or else `OLLAMA_HOST`, and `OLLAMA_API_KEY`. */
export const ollama: ModelProvider = provider({
  name: 'ollama',
  title: 'Ollama',
  urlVariable: 'OLLAMA_BASE_URL',
  url: 'http://127.0.0.1:11434/v1',
  keyVariable: 'OLLAMA_API_KEY',
  host({ OLLAMA_HOST: host }) {
    return host ? { variable: 'OLLAMA_HOST', url: ollamaUrl(host) } : undefined;
  },
});

/** vLLM: `vllm/Qwen/Qwen3-8B`. Reads `VLLM_BASE_URL` and `VLLM_API_KEY`. */
export const vllm: ModelProvider = provider({
  name: 'vllm',
  title: 'vLLM',
  urlVariable: 'VLLM_BASE_URL',
  url: 'http://127.0.0.1:8000/v1',
  keyVariable: 'VLLM_API_KEY',
});

/** LM Studio: `lmstudio/qwen3-8b`. Reads `LMSTUDIO_BASE_URL` and `LMSTUDIO_API_KEY`. */
export const lmstudio: ModelProvider = provider({
  name: 'lmstudio',
  title: 'LM Studio',
  urlVariable: 'LMSTUDIO_BASE_URL',
  url: 'http://127.0.0.1:1234/v1',
  keyVariable: 'LMSTUDIO_API_KEY',
});

/** OpenRouter: `openrouter/anthropic/claude-sonnet-4.5`. Reads `OPENROUTER_API_KEY` and `OPENROUTER_BASE_URL`. */
export const openrouter: ModelProvider = provider({
  name: 'openrouter',
  title: 'OpenRouter',
  urlVariable: 'OPENROUTER_BASE_URL',
  url: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
  needsKey: true,
});

function provider(service: Service): ModelProvider {
  const prefix = `${service.name}/`;
  return {
    kind: 'model-provider',
    specVersion: 1,
    name: service.name,
    origin: { package: manifest.name, version: manifest.version },
    names: `${prefix}…`,
    accepts: (model) => model.startsWith(prefix) && model.length > prefix.length,
    create(id, settings) {
      const model = id.slice(prefix.length);
      const { tokenLimit } = service;
      const connect = (environment: Environment) => reached(service, id, environment);
      return chatModel({ id, model, connect, settings, tokenLimit });
    },
  };
}

function reached(service: Service, id: string, environment: Environment): Connected {
  const { title, urlVariable, url, keyVariable, needsKey = false } = service;
  const written = environment[urlVariable];
  const said = written ? { variable: urlVariable, url: withVersion(written) } : service.host?.(environment);
  const apiKey = environment[keyVariable] || undefined;
  const problems: Problem[] = [];
  // With an explicit base URL, no key is required.
  if (apiKey === undefined && needsKey && said === undefined) {
    const message = `the model "${id}" cannot be called: set ${keyVariable}, in the environment or in a .env file`;
    problems.push({ code: 'MISSING_ENVIRONMENT', message });
  }
  const words = {
    service: title,
    credentials: apiKey === undefined ? null : keyVariable,
    urlFrom: said?.variable ?? urlVariable,
  };
  return connected({ baseUrl: said?.url ?? url, apiKey }, words, problems);
}
