import { registerPlugin } from '@agent-criteria/core';
import {
  multiTurnTaskSuccess,
  multiTurnToolUseQuality,
  multiTurnTrajectoryQuality,
  responseEvaluation,
} from './pure.ts';

export * from './pure.ts';

registerPlugin(multiTurnTaskSuccess);
registerPlugin(multiTurnTrajectoryQuality);
registerPlugin(multiTurnToolUseQuality);
registerPlugin(responseEvaluation);
