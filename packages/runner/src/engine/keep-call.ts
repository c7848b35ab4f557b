import { randomUUID, sha256 } from '@agent-criteria/calls';
import { stringifyJson } from '@agent-criteria/formats';
import { costOf, type Prices } from '@agent-criteria/results';
import type { CallRecord } from '../journal/journal.ts';
import type { EndedCall } from './record-calls.ts';
import { type Redaction, redactCall } from './redact.ts';

/** A call as a journal keeps it: redacted, with what it cost and the hashes of its texts. */
export function callRecord(
  { error, ...ended }: EndedCall,
  request: unknown,
  answer: unknown,
  { redaction, prices }: { readonly redaction: Redaction; readonly prices?: Prices | undefined },
): CallRecord {
  const textOf = (value: unknown) => stringifyJson(redactCall(value ?? null, redaction));
  const texts = { request: textOf(request), answer: answer === undefined ? null : textOf(answer) };
  const cost = costOf(ended, prices);
  const call = {
    ...ended,
    ...(error !== undefined && { error: { ...error, message: redactCall(error.message, redaction) } }),
    ...(cost !== undefined && { cost }),
    request: sha256(texts.request),
    ...(texts.answer !== null && { answer: sha256(texts.answer) }),
  };
  return { id: randomUUID(), call, ...texts };
}
