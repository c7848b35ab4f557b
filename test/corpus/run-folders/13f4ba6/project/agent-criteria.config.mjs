import { scriptedModel } from './scripted-model.mjs';

export default {
  models: { scripted: scriptedModel },
  judgeModel: 'scripted',
  prices: { scripted: { inputTokens: 0.001, outputTokens: 0.01 } },
};
