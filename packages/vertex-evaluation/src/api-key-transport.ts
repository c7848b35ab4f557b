import { readAnswer } from './read-answer.ts';
import { serviceFailure } from './service-failure.ts';
import type { EvaluationTransport } from './transport.ts';

const GOOGLE = 'https://aiplatform.googleapis.com';

/** Express mode: the key says which project it is of, and where. */
export function apiKeyTransport(apiKey: string, apiEndpoint: string = GOOGLE): EvaluationTransport {
  const url = `${apiEndpoint.replace(/\/+$/, '')}/v1beta1:evaluateInstances`;
  return async (body, signal) => {
    const response = await fetch(url, {
      ...{ method: 'POST', body: JSON.stringify(body), signal },
      headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
      // A redirect would take the key along.
      redirect: 'manual',
    });
    const text = (await response.text()).replaceAll(apiKey, '[redacted GOOGLE_API_KEY]');
    if (!response.ok) throw serviceFailure(response.status, text, response.headers);
    return readAnswer(text);
  };
}
