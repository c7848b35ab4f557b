import { describeEvalSet } from '../index.ts';
import { note } from './lamp-agent.ts';

describeEvalSet(
  {
    name: 'down',
    async check() {
      note('down checked');
      return [{ code: 'CALL_FAILED', message: 'nobody is at home' }];
    },
    open() {
      note('down opened');
      throw new Error('it is down');
    },
  },
  'lamps/lamps.evalset.json',
);
