import { inTime, noAnswerWithin } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';
import { readAnswer } from './read-answer.ts';
import { serviceFailure } from './service-failure.ts';

/** Headers that say as whom the service is asked. */
const CREDENTIALS = ['authorization', 'x-goog-api-key'];
/** Bytes: a thousand times what the service gives. Whoever sends without end must not take the run along. */
const LONGEST = 16 * 1024 * 1024;
/** Milliseconds, where nothing else limits the call. */
const LONGEST_WAIT = 300_000;

/**
 * The JSON that the service answers, in which the credentials do not show.
 *
 * @throws ServiceFailure for every status but success, a redirect included; CriteriaError TIMEOUT; what `exchange` and
 * `readAnswer` throw.
 */
export async function postRequest(url: string, body: Json, headers: Headers, signal: AbortSignal): Promise<Json> {
  // At the first call: criteria are imported by many who make none.
  const { exchange, hiding } = await import('@agent-criteria/calls/http');
  const hide = hiding(CREDENTIALS.map((name) => headers.get(name) ?? ''));
  const sent = Object.fromEntries(headers);
  const send = (own: AbortSignal): Promise<Json> =>
    exchange(
      new URL(url),
      { method: 'POST', headers: sent, body, signal: own, maxBytes: LONGEST },
      async ({ status, headers: answered, text, start }) => {
        if (status < 200 || status >= 300) {
          // Before anything is cut: half a key is not recognised.
          const mask = secretMask({ environment: process.env });
          throw serviceFailure(status, mask.text(hide(await start())), answered);
        }
        return readAnswer(hide(await text()));
      },
    );
  const tooLate = () => noAnswerWithin(LONGEST_WAIT, 'the evaluation service');
  return inTime(send, { signal, milliseconds: LONGEST_WAIT, tooLate });
}
