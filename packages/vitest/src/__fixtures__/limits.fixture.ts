import { describeEvalSet } from '../index.ts';
import { describe } from 'vitest';
import { lampAgent, note } from './lamp-agent.ts';

const cases = ['a', 'b', 'c', 'd'].map((evalId) => ({
  evalId,
  conversation: [
    { userContent: { parts: [{ text: 'Turn on the lamp' }] }, finalResponse: { parts: [{ text: 'The lamp is on.' }] } },
  ],
}));
const config = { criteria: { response_match_score: 0.8 } };

/** An agent that never answers, and notes when it starts and when it is aborted. */
const stuck = (_message: string, { key, signal }: { key: { caseId: string }; signal: AbortSignal }) => {
  note(`${key.caseId} starts`);
  signal.addEventListener('abort', () => note(`${key.caseId} stops`));
  return new Promise<string>(() => undefined);
};

describeEvalSet(stuck, cases.slice(0, 1), { name: 'stuck', config, timeout: '500ms' });
describeEvalSet(stuck, cases.slice(1, 2), { name: 'slow turn', config, turnTimeout: '500ms' });

/** The resolvers of sessions that wait until the given number of sessions is open. */
const waiting: (() => void)[] = [];
function together(count: number) {
  return async () => {
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length === count) for (const one of waiting.splice(0)) one();
    });
    return 'The lamp is on.';
  };
}
describeEvalSet(together(4), { evalSetId: 'together', evalCases: cases }, { config, concurrent: true });
describe.concurrent('in a concurrent group', () => {
  describeEvalSet(together(2), { evalSetId: 'pairs', evalCases: cases }, { config, concurrency: { agents: 2 } });
});

let open = 0;
describeEvalSet(
  async () => {
    note(`open ${++open}`);
    await new Promise((go) => setTimeout(go, 20));
    open--;
    return 'The lamp is on.';
  },
  { evalSetId: 'limited', evalCases: cases },
  { config, concurrent: true, concurrency: { agents: 2 }, repeats: 2 },
);

let tries = 0;
describe('again', { retry: 2 }, () => {
  describeEvalSet(
    (message, session) => (++tries < 3 ? 'Not yet.' : lampAgent(message, session)),
    { evalSetId: 'retried', evalCases: cases.slice(0, 1) },
    { config, runsFolder: process.env.LAMP_RUNS },
  );
});

