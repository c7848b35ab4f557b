import { isObject } from '@agent-criteria/formats';

type Event = Readonly<Record<string, unknown>>;

/** The events of a turn so far. Pieces of an answer are one event, which the whole answer then replaces. */
export function withPiece<One extends Event>(events: readonly One[], event: One): readonly One[] {
  const last = events.at(-1);
  const open = last?.partial === true && last.author === event.author ? last : undefined;
  const before = open === undefined ? events : events.slice(0, -1);
  if (event.partial !== true || open === undefined) return [...before, event];
  const parts = [...partsOf(open)];
  for (const part of partsOf(event)) {
    const end = parts.at(-1);
    if (isText(part) && isText(end) && Boolean(part.thought) === Boolean(end.thought)) {
      parts[parts.length - 1] = { ...end, text: end.text + part.text };
    } else parts.push(part);
  }
  return [...before, { ...open, content: { role: 'model', parts } }];
}

export function partsOf({ content }: Event): readonly unknown[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts : [];
}

export function isText(part: unknown): part is { readonly text: string; readonly thought?: unknown } {
  return isObject(part) && typeof part.text === 'string';
}
