import { registerPlugin } from '@agent-criteria/core';
import {
  finalStateChecks,
  maxTurnCost,
  maxTurnSeconds,
  maxTurnTokens,
  pathChecks,
  responseChecks,
  toolChecks,
} from './pure.ts';

export * from './pure.ts';

registerPlugin(responseChecks);
registerPlugin(toolChecks);
registerPlugin(pathChecks);
registerPlugin(finalStateChecks);
registerPlugin(maxTurnSeconds);
registerPlugin(maxTurnTokens);
registerPlugin(maxTurnCost);
