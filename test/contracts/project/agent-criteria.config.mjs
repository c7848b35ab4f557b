import { scriptedModel } from './scripted-model.mjs';

export default {
  plugins: [
    '@agent-criteria/criteria-llm-judge',
    '@agent-criteria/criteria-hallucination',
    '@agent-criteria/user-simulator',
    '@agent-criteria/criteria-safety',
    '@agent-criteria/criteria-vertex',
  ],
  models: { scripted: scriptedModel },
  judgeModel: 'scripted',
};
