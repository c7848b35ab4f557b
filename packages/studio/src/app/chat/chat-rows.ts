import type { ChatEntry, ChatPart } from './chat-event.ts';

/** An entry of the conversation as it is shown: calls have their results, and what goes on says so. */
export interface ChatRow extends ChatEntry {
  readonly rows: readonly RowPart[];
  /** Ids of its event and of those whose results it shows. */
  readonly ids: readonly string[];
  /** Whether the entry before it has the same author. */
  readonly goesOn: boolean;
}

/** A part as it is shown. A call without a result has not been answered, or not yet. */
export type RowPart =
  | Exclude<ChatPart, { readonly kind: 'call' }>
  | (Extract<ChatPart, { readonly kind: 'call' }> & {
      readonly result?: { readonly value: unknown; readonly event: string } | undefined;
    });

/** Joins calls with their results, by id or else by name and order. Entries of which nothing is left are left out. */
export function chatRows(entries: readonly ChatEntry[]): readonly ChatRow[] {
  const rows: (Omit<ChatRow, 'rows' | 'ids' | 'goesOn'> & { rows: RowPart[]; ids: string[] })[] = [];
  for (const entry of entries) {
    const left: RowPart[] = [];
    for (const part of entry.parts) {
      const call = part.kind === 'response' ? openCall(rows, part, entry.invocationId) : undefined;
      if (call === undefined || part.kind !== 'response') {
        left.push(part);
        continue;
      }
      const { row, place } = call;
      row.rows[place] = { ...call.part, result: { value: part.value, event: entry.id } };
      row.ids.push(entry.id);
    }
    const isJoined = left.length === 0 && entry.parts.length > 0;
    if (isJoined && entry.error === null && entry.stateDelta === null && !entry.isCut) continue;
    rows.push({ ...entry, rows: left, ids: [entry.id] });
  }
  return rows.map((row, place) => ({ ...row, goesOn: place > 0 && rows[place - 1]?.author === row.author }));
}

function openCall(
  rows: readonly { readonly invocationId: string; readonly rows: RowPart[]; readonly ids: string[] }[],
  { id, name }: Extract<ChatPart, { readonly kind: 'response' }>,
  invocationId: string,
) {
  const open = rows
    .filter((row) => row.invocationId === invocationId)
    .flatMap((row) =>
      row.rows.flatMap((part, place) =>
        part.kind === 'call' && part.result === undefined && part.name === name ? [{ row, part, place }] : [],
      ),
    );
  return id === null ? open.find(({ part }) => part.id === null) : open.find(({ part }) => part.id === id);
}
