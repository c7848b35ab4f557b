import { fileURLToPath } from 'node:url';
import type { Conversation } from '../conversation.ts';
import { openConversations } from '../open-conversations.ts';
import type { OpenConversationsOptions } from '../open-options.ts';

/** Reads files to their end, with losses as `2 × what` and conversions as `from → to`. */
export async function readAll(files: readonly string[], more: Partial<OpenConversationsOptions> = {}) {
  const opened = openConversations({ files, ...more });
  const all: Conversation[] = [];
  for await (const one of opened.conversations) all.push(one);
  return {
    all,
    losses: opened.losses().map(({ what, count }) => `${count} × ${what}`),
    criteria: opened.conversions().map(({ from, to, count }) => `${count} × ${from} → ${to}`),
    formats: opened.files.map(({ format }) => format),
  };
}

export const fixture = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
