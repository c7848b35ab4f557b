import { postRequest } from './post-request.ts';
import type { EvaluationTransport } from './transport.ts';

const GOOGLE = 'https://aiplatform.googleapis.com';

/** Creates a transport in express mode: the key determines project and location. */
export function apiKeyTransport(apiKey: string, apiEndpoint: string = GOOGLE): EvaluationTransport {
  const url = `${apiEndpoint.replace(/\/+$/, '')}/v1beta1:evaluateInstances`;
  return (body, signal) => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-goog-api-key': apiKey });
    return postRequest(url, body, headers, signal);
  };
}
