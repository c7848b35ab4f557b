import type { Json } from '@agent-criteria/core';
import { readAnswer } from './read-answer.ts';
import { serviceFailure } from './service-failure.ts';

/** Headers that say as whom the service is asked. */
const CREDENTIALS = ['authorization', 'x-goog-api-key'];

/**
 * The JSON that the service answers, in which the credentials do not show.
 *
 * @throws ServiceFailure for every status but success, a redirect included; what `fetch` and `readAnswer` throw.
 */
export async function postRequest(url: string, body: Json, headers: Headers, signal: AbortSignal): Promise<Json> {
  const response = await fetch(url, {
    ...{ method: 'POST', body: JSON.stringify(body), headers, signal },
    // It would take texts and key along, and whoever answers there is not the service.
    redirect: 'manual',
  });
  const text = withoutCredentials(await response.text(), headers);
  if (!response.ok) throw serviceFailure(response.status, text, response.headers);
  return readAnswer(text);
}

/** A proxy may repeat what it was sent. */
function withoutCredentials(text: string, headers: Headers): string {
  const values = CREDENTIALS.map((name) => headers.get(name)?.replace(/^Bearer\s+/i, '') ?? '');
  return values.filter((value) => value !== '').reduce((clean, value) => clean.replaceAll(value, '[redacted]'), text);
}
