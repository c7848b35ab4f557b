import { isObject } from '@agent-criteria/formats';

/** The services of promptfoo whose models have a name here, with the start of that name. */
const SERVICES = new Map([
  ['openai', 'openai/'],
  ['google', ''],
  ['vertex', ''],
  ['ollama', 'ollama/'],
  ['openrouter', 'openrouter/'],
]);

/** Kinds of requests that promptfoo has between the service and the model. */
const KINDS = ['chat', 'completion', 'responses', 'embedding'];

/**
 * Returns the name of a judge: `openai:chat:gpt-5-mini` is `openai/gpt-5-mini`.
 *
 * @returns `null` for a provider whose models have no name here.
 */
export function judgeName(provider: unknown): string | null {
  const written = isObject(provider)
    ? isObject(provider.text)
      ? provider.text
      : (provider.text ?? provider)
    : provider;
  const id = isObject(written) ? written.id : written;
  if (typeof id !== 'string') return null;
  const [service = '', ...rest] = id.split(':');
  const model = (KINDS.includes(rest[0] ?? '') ? rest.slice(1) : rest).join(':');
  const start = SERVICES.get(service);
  if (start === undefined || model === '') return null;
  if (start === '' && !/^gemini/.test(model)) return null;
  return start + model;
}
