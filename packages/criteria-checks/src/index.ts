import { registerPlugin } from '@agent-criteria/core';
import { finalStateChecks, maxTurnCost, maxTurnSeconds, maxTurnTokens, responseChecks, toolChecks } from './pure.ts';

export * from './pure.ts';

registerPlugin(responseChecks);
registerPlugin(toolChecks);
registerPlugin(finalStateChecks);
registerPlugin(maxTurnSeconds);
registerPlugin(maxTurnTokens);
registerPlugin(maxTurnCost);
