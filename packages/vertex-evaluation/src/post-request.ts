import { inTime, noAnswerWithin } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';
import { readAnswer } from './read-answer.ts';
import { serviceFailure } from './service-failure.ts';

/** Authentication headers. */
const CREDENTIALS = ['authorization', 'x-goog-api-key'];
/** Bytes: a thousand times the usual answer. An endless answer must not break the run. */
const LONGEST = 16 * 1024 * 1024;
/** Milliseconds, unless another limit applies to the call. */
const LONGEST_WAIT = 300_000;

/**
 * Posts a request and returns the service's JSON, with credentials masked.
 * @throws ServiceFailure for every status but success, including redirects; CriteriaError TIMEOUT; errors of `exchange`
 * and `readAnswer`.
 */
export async function postRequest(url: string, body: Json, headers: Headers, signal: AbortSignal): Promise<Json> {
  // Loaded at the first call: many programs import the criteria and make none.
  const { exchange, hiding } = await import('@agent-criteria/calls/http');
  const hide = hiding(CREDENTIALS.map((name) => headers.get(name) ?? ''));
  const sent = Object.fromEntries(headers);
  const send = (own: AbortSignal): Promise<Json> =>
    exchange(
      new URL(url),
      { method: 'POST', headers: sent, body, signal: own, maxBytes: LONGEST },
      async ({ status, headers: answered, text, start }) => {
        if (status < 200 || status >= 300) {
          // Masks before truncating: half a key would not be recognised.
          const mask = secretMask({ environment: process.env });
          throw serviceFailure(status, mask.text(hide(await start())), answered);
        }
        return readAnswer(hide(await text()));
      },
    );
  const tooLate = () => noAnswerWithin(LONGEST_WAIT, 'the evaluation service');
  return inTime(send, { signal, milliseconds: LONGEST_WAIT, tooLate });
}
