import process from 'node:process';
import { scriptedModel } from './scripted-model.mjs';

/** Proves that no answer was asked for: all came from a recording or the cache. */
const silent = {
  id: 'scripted',
  generate() {
    throw new Error('the judge was asked');
  },
};

export default {
  models: { scripted: process.env.SILENT_JUDGE === '1' ? silent : scriptedModel },
  judgeModel: 'scripted',
  ...(process.env.WITH_INSTRUMENT === '1' && { instruments: ['instrument.json'] }),
  prices: { scripted: { inputTokens: 0.001, outputTokens: 0.01 } },
};
