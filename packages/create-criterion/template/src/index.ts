import { registerPlugin } from '@agent-criteria/core';
import { sampleCriterionScore } from './pure.ts';

export * from './pure.ts';

registerPlugin(sampleCriterionScore);
