import type { Conversation } from '../conversation.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import { type ColumnPaths, isEach } from './columns.ts';
import { type ReadRow, type ReadRowOptions, readRow } from './read-row.ts';
import { keysAt, valueAt } from './value-at.ts';

/** Reads records by their columns: a conversation each, one of its turns, or several conversations. */
export async function* rowConversations(
  records: AsyncIterable<SourceRecord>,
  columns: ColumnPaths,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  const { options, losses, named, found } = reading;
  const how: ReadRowOptions = {
    columns,
    named: new Set([...named].flatMap(([name, path]) => (path === null ? [] : [name]))),
    passes: (options.passes ?? []).map((value) => value.trim().toLowerCase()),
    stop: options.stop,
    onLoss: losses.add,
  };
  const repeated = Object.values(columns).find(isEach);
  let open: ReadRow | null = null;
  for await (const { value, line } of records) {
    const keys = repeated === undefined ? [undefined] : keysAt(value, repeated);
    for (const [name, path] of named) {
      if (path === null || found.has(name)) continue;
      if (keys.some((key) => valueAt(value, path, key) !== undefined)) found.add(name);
    }
    if (!reading.where(value)) continue;
    for (const key of keys) {
      const where = placeOf(file, line) + (key === undefined ? '' : `, ${key}`);
      const row = readRow(value, { file, line, where, key }, how);
      if ('length' in row) {
        refuse(reading, row, where);
        continue;
      }
      const own = key === undefined ? row : ofKey(row, key);
      if (open !== null && isNextTurn(open, own)) {
        open = joined(open, own);
        continue;
      }
      if (open !== null) yield open;
      open = own;
    }
  }
  if (open !== null) yield open;
}

/** Makes one of several conversations of a record: with an id of its own, in the group of the record. */
function ofKey(row: ReadRow, key: string | number): ReadRow {
  const id = row.id === null ? null : `${row.id}/${key}`;
  const group = row.group ?? row.id ?? undefined;
  return { ...row, id, ...(group === undefined ? {} : { group }), tags: [...(row.tags ?? []), String(key)] };
}

/** Whether a row is another turn of the conversation before it. */
function isNextTurn(open: ReadRow, next: ReadRow): boolean {
  return open.id !== null && open.id === next.id && open.turn !== null && next.turn !== null && next.turn > open.turn;
}

function joined(open: ReadRow, next: ReadRow): ReadRow {
  const shifted = [...next.expected].map(([turn, expected]) => [open.turns.length + turn, expected] as const);
  return {
    ...open,
    turn: next.turn,
    turns: [...open.turns, ...next.turns],
    expected: new Map([...open.expected, ...shifted]),
    ...((open.label ?? next.label) ? { label: open.label ?? next.label } : {}),
    ...((open.error ?? next.error) ? { error: open.error ?? next.error } : {}),
  };
}
