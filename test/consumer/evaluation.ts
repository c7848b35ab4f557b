import '@agent-criteria/criteria-rouge';
import '@agent-criteria/criteria-trajectory';
import { defaultRegistry } from '@agent-criteria/core/host';
import { evaluate } from '@agent-criteria/runner';

const message = (role: string, text: string) => ({ role, parts: [{ text }] });

/** Runs an evaluation whose criteria are registered only by importing them. */
export async function evaluation() {
  const turn = {
    userContent: message('user', 'Turn on the light'),
    finalResponse: message('model', 'The light is on.'),
  };
  const report = await evaluate({
    agent: () => 'The light is on in the kitchen.',
    evalSet: { evalSetId: 'lights', evalCases: [{ evalId: 'kitchen', conversation: [turn] }] },
    config: { criteria: { response_match_score: 0.7, tool_trajectory_avg_score: 1 } },
  });
  return {
    registered: defaultRegistry()
      .list('criterion')
      .map(({ name }) => name),
    verdicts: report.cases.map(({ verdict }) => verdict),
    scores: report.cases.flatMap(({ criteria }) => criteria.map(({ name, score }) => [name, score])),
  };
}
