import { defineCriterion } from '@agent-criteria/core';
import {
  type EvaluationTransport,
  evaluateInstances,
  evaluationAccess,
  evaluationServiceOptions,
  scoreOf,
} from '@agent-criteria/vertex-evaluation';
import manifest from '../package.json' with { type: 'json' };
import { conversationRequest } from './conversation-request.ts';

/** Creates a criterion for one of the service's metrics for whole conversations. ADK uses the service's name. */
export function multiTurnMetric<const Name extends string>(
  name: Name,
  description: string,
  transport: EvaluationTransport | undefined,
) {
  const range = { min: 0, max: 1, better: 'higher' } as const;
  return defineCriterion({
    name,
    origin: { package: manifest.name, version: manifest.version },
    description,
    decides: true,
    range,
    options: evaluationServiceOptions,
    access: (options, environment) => evaluationAccess({ options, transport }, environment),
    estimate: () => ({ min: 1, max: 1 }),
    scope: 'conversation',
    async evaluate({ turns }, { options, tools }) {
      const { request, body } = conversationRequest(name, turns, tools.compat);
      return scoreOf(await evaluateInstances(tools, request, { options, transport, body, range }), range);
    },
  });
}
