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

/** One of the service's metrics of a whole conversation, under ADK's name, which is the service's own. */
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
