import { describeEvalSet } from '../index.ts';

describeEvalSet(() => 'Yes.', 'lamps/lamps.evalset.json', { conifg: {} } as never);
