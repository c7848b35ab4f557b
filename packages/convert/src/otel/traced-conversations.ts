import type { Conversation } from '../conversation.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import { isTraces, type ReadSpans, readSpans } from './read-spans.ts';
import { readTraces } from './read-traces.ts';

/** Reads all spans of a file first, because those of one trace may be anywhere in it. */
export async function* tracedConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const exports: ReadSpans[] = [];
  for await (const { value, line } of records) {
    if (isTraces(value)) exports.push(readSpans(value, placeOf(file, line)));
    else {
      const message = 'this is no export of traces, which has "resourceSpans"';
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], placeOf(file, line));
    }
  }
  yield* readTraces(exports, reading.losses.add);
}
