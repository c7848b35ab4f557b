import type { Conversation } from '../conversation.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import { isAtif, readAtif } from './read-atif.ts';

/** Reads trajectories in the Agent Trajectory Interchange Format. */
export async function* atifConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  for await (const { value, line } of records) {
    if (!reading.where(value)) continue;
    const where = placeOf(file, line);
    const wrong = (message: string) =>
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], where);
    if (!isAtif(value)) {
      wrong('this is no trajectory of ATIF, which has "schema_version": "ATIF-v1…" and a list of "steps"');
      continue;
    }
    const conversation = readAtif(value, where, reading.losses.add);
    if (conversation !== null) yield conversation;
    else wrong('this trajectory has no step of the user, so there is nothing to answer');
  }
}
