import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type ConversationPreview, conversationPreview } from './conversation-preview.ts';
import { type Imported, type ImportOptions, openImport, setIdOf } from './import-conversations.ts';

/** The result that an import would have. Plain JSON. */
export interface ImportPreview extends Imported {
  /** The number of turns with an answer or a call of the agent. A run needs at least one. */
  readonly answered: number;
  /** The first conversations that would be taken. */
  readonly first: readonly ConversationPreview[];
  /** The mistakes in the files, which an import would throw. The counts then cover what could be read. */
  readonly problems: readonly Problem[];
}

/**
 * Reads files as an import does, and stores nothing. One conversation at a time is in memory, besides the first ones.
 *
 * @param shown The number of conversations in `first`. Default 5.
 * @throws CriteriaError USAGE for wrong columns or conditions; the reason of the signal if it is aborted.
 */
export async function previewImport(options: ImportOptions, shown = 5): Promise<ImportPreview> {
  const opened = openImport(options);
  const first: ConversationPreview[] = [];
  const problems: Problem[] = [];
  try {
    for await (const { conversation } of opened.conversations) {
      if (first.length < shown) first.push(conversationPreview(conversation));
    }
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    problems.push(...error.problems);
  }
  return { ...opened.imported(setIdOf(options)), answered: opened.counts.replies, first, problems };
}
