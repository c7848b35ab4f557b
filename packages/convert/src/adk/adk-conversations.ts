import type { Conversation } from '../conversation.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { nameOf } from '../name-of.ts';
import { type Reading, refuse } from '../reading.ts';
import { isAdkEvent, isAdkSession, readAdkSession, sessionOfEvent } from './read-adk.ts';

/** Reads sessions of ADK, and events of ADK, those of a session in a row. */
export async function* adkConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const { losses, problems } = reading;
  let events: { readonly id: string | null; readonly line: number; readonly list: unknown[] } | null = null;
  const ended = new Set<string>();
  const read = (session: Readonly<Record<string, unknown>>, line: number): Conversation | null => {
    const where = placeOf(file, line);
    const found = readAdkSession(session, { file, line, where }, losses.add);
    if (!('length' in found)) return found;
    refuse(reading, found, where);
    return null;
  };
  const close = (): Conversation | null => {
    if (events === null) return null;
    const { id, line, list } = events;
    if (id !== null) ended.add(id);
    events = null;
    return read({ id: id ?? nameOf(file), events: list }, line);
  };
  for await (const { value, line } of records) {
    if (isAdkSession(value)) {
      if (!reading.where(value)) continue;
      const session = read(value, line);
      if (session !== null) yield session;
    } else if (isAdkEvent(value)) {
      const id = sessionOfEvent(value);
      if (events !== null && events.id !== id) {
        const session = close();
        if (session !== null) yield session;
      }
      if (id !== null && ended.has(id)) {
        const message = `this event belongs to the session "${id}", whose events ended before: sort the file by session`;
        problems.push({ code: 'INVALID_DATA', file, path: `line ${line}`, message });
        return;
      }
      events ??= { id, line, list: [] };
      events.list.push(value);
    } else {
      const message = 'this is neither an ADK session, which has "events", nor an event, which has an "author"';
      refuse(reading, [{ code: 'INVALID_DATA', file, path: `line ${line}`, message }], placeOf(file, line));
    }
  }
  const session = close();
  if (session !== null) yield session;
}
