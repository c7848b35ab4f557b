import type { CorpusEntry } from './command.ts';
import { codingAgents } from './commands/coding-agents.ts';
import { evaluating } from './commands/evaluating.ts';
import { files } from './commands/files.ts';
import { judging } from './commands/judging.ts';
import { mistakes } from './commands/mistakes.ts';
import { processes } from './commands/processes.ts';
import { reading } from './commands/reading.ts';

/** The corpus, in groups. */
export const groups = {
  evaluating,
  judging,
  reading,
  files,
  mistakes,
  processes,
  'coding-agents': codingAgents,
} as const satisfies Readonly<Record<string, readonly CorpusEntry[]>>;

export function isGroup(name: string): name is keyof typeof groups {
  return Object.hasOwn(groups, name);
}
