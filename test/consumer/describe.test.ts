import '@agent-criteria/criteria-rouge';
import '@agent-criteria/criteria-trajectory';
import { describeEvalSet, runAgent } from '@agent-criteria/vitest';
import { expect, test } from 'vitest';

const message = (role: string, text: string) => ({ role, parts: [{ text }] });
const agent = () => 'The light is on.';
const turn = { userContent: message('user', 'Turn on the light'), finalResponse: message('model', agent()) };

describeEvalSet(
  agent,
  { evalSetId: 'lights', evalCases: [{ evalId: 'kitchen', conversation: [turn] }] },
  { config: { criteria: { response_match_score: 1 } } },
);

// The matchers come from the setup file, which is referred to by its package name.
test('an answer passes a matcher from agent-criteria', async () => {
  const inference = await runAgent(agent, ['Turn on the light']);
  await expect(inference).toMatchResponse('The light is on.');
  await expect(inference).toMatchTrajectory([]);
});
