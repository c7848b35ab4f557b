import { defineCriterion, modelFromFunction, noOptions } from '@agent-criteria/core';
import { describeEvalSet } from '../index.ts';
import { lampAgent, note } from './lamp-agent.ts';

const bright = defineCriterion({
  name: 'bright',
  description: 'A model finds the answer bright.',
  origin: { package: 'bright', version: '1.0.0' },
  range: { min: 0, max: 1, better: 'higher' },
  decides: true,
  scope: 'turn',
  options: noOptions,
  models: () => ['judge'],
  async evaluate(turn, { tools, transcript: { unit } }) {
    const messages = [{ role: 'user', parts: [{ text: `${unit.case.evalId}, turn ${turn.index}` }] }];
    const { text } = await tools.model('judge').generate({ messages, sample: 0 }, tools.signal);
    return { value: text === 'bright' ? 1 : 0 };
  },
});

const judge = modelFromFunction('judge', () => {
  note('judged');
  return 'bright';
});

const { LAMP_RECORDING = '', LAMP_MODE } = process.env;
const options = {
  plugins: [bright],
  config: { criteria: { bright: 1 } },
  models: (name: string) => (name === 'judge' ? judge : undefined),
};
describeEvalSet(lampAgent, 'lamps/lamps.evalset.json', {
  ...options,
  name: 'recorded',
  calls: { recording: { file: LAMP_RECORDING, mode: LAMP_MODE === 'replay' ? 'replay' : 'record' } },
});
describeEvalSet(lampAgent, 'lamps/lamps.evalset.json', {
  ...options,
  name: 'with a budget',
  calls: { maxCalls: 1 },
});
