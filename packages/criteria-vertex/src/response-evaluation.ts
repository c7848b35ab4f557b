import { contentText, defineCriterion } from '@agent-criteria/core';
import {
  type EvaluationTransport,
  evaluateInstances,
  evaluationAccess,
  evaluationServiceOptions,
  scoreOf,
  unjudgedAnswer,
} from '@agent-criteria/vertex-evaluation';
import manifest from '../package.json' with { type: 'json' };

/** ADK's `response_evaluation_score`, requested through a transport. */
export function responseEvaluationThrough(transport: EvaluationTransport | undefined) {
  const range = { min: 1, max: 5, better: 'higher' } as const;
  return defineCriterion({
    name: 'response_evaluation_score',
    origin: { package: manifest.name, version: manifest.version },
    description: 'The answer is coherent.',
    decides: true,
    range,
    // The expected answer is not sent, but ADK requires it all the same.
    needs: { reference: 'response' },
    options: evaluationServiceOptions,
    access: (options, environment) => evaluationAccess({ options, transport }, environment),
    estimate: (_unit, turns) => ({ min: 0, max: turns }),
    scope: 'turn',
    async evaluate({ actual, expected }, { options, tools }) {
      if (expected === null) {
        return { value: null, missing: 'not-applicable', reason: 'the case has no expectation for this turn' };
      }
      const unjudged = unjudgedAnswer(actual.finalResponse);
      if (unjudged !== null) return unjudged;
      const prediction = contentText(actual.finalResponse);
      const request = { coherenceInput: { metricSpec: {}, instance: { prediction } } };
      return scoreOf(await evaluateInstances(tools, request, { options, transport, range }), range);
    },
  });
}
