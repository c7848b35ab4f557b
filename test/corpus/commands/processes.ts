import type { CorpusEntry } from '../command.ts';

const own = { copies: ['test/corpus/projects/process'], process: true };

/** Commands as separate processes: what an agent does to its process, signals, streams, exit codes. */
export const processes: readonly CorpusEntry[] = [
  { name: 'json-of-a-chatty-agent', ...own, commands: ['eval process/chatty.mjs process/fine.test.json --json'] },
  { name: 'agent-that-exits', ...own, commands: ['eval process/exits.mjs process/fine.test.json'] },
  {
    name: 'error-outside-of-turns',
    ...own,
    commands: ['eval process/stray.mjs process/fine.test.json --concurrency_agents 1'],
  },
  {
    name: 'interrupted',
    copies: ['test/corpus/projects/home'],
    process: true,
    commands: ['eval home sets/interrupted.evalset.json --concurrency_agents 1'],
  },
];
