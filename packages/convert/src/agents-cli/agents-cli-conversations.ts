import type { Conversation } from '../conversation.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import { isAgentsCliCase, readAgentsCliCase } from './read-agents-cli.ts';

/** Reads the cases of a dataset of agents-cli. */
export async function* agentsCliConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  for await (const { value, line } of records) {
    if (!reading.where(value)) continue;
    const where = placeOf(file, line);
    const message = 'this is no case of a dataset of agents-cli: it has neither a "prompt" nor "agent_data"';
    const read = isAgentsCliCase(value)
      ? readAgentsCliCase(value, { file, line, where }, reading.losses.add)
      : [{ code: 'INVALID_DATA', file, path: `line ${line}`, message } as const];
    if ('length' in read) refuse(reading, read, where);
    else yield read;
  }
}
