import { registerPlugin } from '@agent-criteria/core';
import {
  finalResponseMatch,
  finalResponseQuality,
  harmlessness,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
} from './pure.ts';

export * from './pure.ts';

registerPlugin(finalResponseMatch);
registerPlugin(finalResponseQuality);
registerPlugin(toolUseQuality);
registerPlugin(rubricBasedMultiTurnTrajectoryQuality);
registerPlugin(harmlessness);
