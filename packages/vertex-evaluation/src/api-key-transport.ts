import { postRequest } from './post-request.ts';
import type { EvaluationTransport } from './transport.ts';

const GOOGLE = 'https://aiplatform.googleapis.com';

/** Express mode: the key says which project it is of, and where. */
export function apiKeyTransport(apiKey: string, apiEndpoint: string = GOOGLE): EvaluationTransport {
  const url = `${apiEndpoint.replace(/\/+$/, '')}/v1beta1:evaluateInstances`;
  return (body, signal) => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-goog-api-key': apiKey });
    return postRequest(url, body, headers, signal);
  };
}
