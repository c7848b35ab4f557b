import { describeEvalSet } from '../index.ts';
import { note } from './lamp-agent.ts';

describeEvalSet(
  (_message, { key, signal }) => {
    note(`${key.caseId} starts`);
    signal.addEventListener('abort', () => note(`${key.caseId} stops`));
    return new Promise(() => undefined);
  },
  'lamps/lamps.evalset.json',
);
