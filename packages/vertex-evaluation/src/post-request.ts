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
    method: 'POST',
    body: JSON.stringify(body),
    headers,
    signal,
    // It would take texts and key along, and whoever answers there is not the service.
    redirect: 'manual',
  });
  const { whole, said } = await textOf(response);
  const text = withoutCredentials(said, headers);
  if (!response.ok) throw serviceFailure(response.status, text, response.headers);
  if (!whole) throw new Error(`the answer is longer than ${LONGEST / 1024 / 1024} MB`);
  return readAnswer(text);
}

/** Bytes: a thousand times what the service gives. Whoever sends without end must not take the run along. */
const LONGEST = 16 * 1024 * 1024;

async function textOf({ body }: Response): Promise<{ readonly whole: boolean; readonly said: string }> {
  const decoder = new TextDecoder();
  let said = '';
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    // Leaving the loop ends the connection.
    if (length > LONGEST) return { whole: false, said };
    said += decoder.decode(piece, { stream: true });
  }
  return { whole: true, said: said + decoder.decode() };
}

/** In letters. A gateway that asks for no key is given one as "x", which stands in many words. */
const SHORTEST = 8;

/** A proxy may repeat what it was sent. */
function withoutCredentials(text: string, headers: Headers): string {
  const values = CREDENTIALS.map((name) => headers.get(name)?.replace(/^Bearer\s+/i, '') ?? '');
  return values
    .filter((value) => value.length >= SHORTEST)
    .reduce((clean, value) => clean.replaceAll(value, '[redacted]'), text);
}
