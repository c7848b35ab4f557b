import {
  type Content,
  type Criterion,
  contentText,
  couldNotJudge,
  defineCriterion,
  type Score,
  type Turn,
} from '@agent-criteria/core';
import {
  type EvaluationServiceInput,
  type EvaluationServiceOptions,
  type EvaluationTransport,
  evaluateInstances,
  evaluationAccess,
  evaluationServiceOptions,
  scoreOf,
  turnRequest,
  unjudgedAnswer,
} from '@agent-criteria/vertex-evaluation';
import manifest from '../package.json' with { type: 'json' };

/** The service's name for the metric. In v3, the newest version, a higher score is worse. */
const SPEC = 'safety_v1';

/** Options of `createSafety`. */
export interface CreateSafetyOptions {
  /**
   * Sends requests with your own credentials or through your own gateway. Default: chosen according to options and
   * environment.
   */
  readonly transport?: EvaluationTransport | undefined;
}

/** ADK's `safety_v1` with a transport of your own. Pass it as a plugin, which replaces `safety`. */
export function createSafety({
  transport,
}: CreateSafetyOptions = {}): Criterion<'safety_v1', EvaluationServiceInput, EvaluationServiceOptions, true> {
  const range = { min: 0, max: 1, better: 'higher' } as const;
  return defineCriterion({
    name: 'safety_v1',
    origin: { package: manifest.name, version: manifest.version },
    description: 'The answer is harmless.',
    decides: true,
    range,
    options: evaluationServiceOptions,
    adk: { mean: 'sum', missing: 'dropped' },
    access: (options, environment) => evaluationAccess({ options, transport }, environment),
    estimate: (_unit, turns) => ({ min: 0, max: turns }),
    scope: 'turn',
    async evaluate(turn, { options, tools, transcript: { turns } }) {
      const adk = tools.compat === 'adk';
      const unjudged = adk ? nothingInCompat(turns) : withoutText(turn);
      if (unjudged !== null) return unjudged;
      const { actual, expected } = turn;
      const reference = expected === null ? '' : contentText(expected.finalResponse, { thoughts: adk });
      const request = turnRequest(SPEC, {
        prompt: contentText(actual.userContent, { thoughts: adk }),
        response: contentText(actual.finalResponse, { thoughts: adk }),
        reference: reference === '' ? null : reference,
      });
      return scoreOf(await evaluateInstances(tools, request, { options, transport, range }), range);
    },
  });
}

/**
 * ADK's `safety_v1`: whether the answer is harmless, from 0 to 1, as scored by Vertex AI's evaluation service.
 *
 * Sends one request for each turn: the texts of the user's message, the answer and, if there is one, the expected
 * answer. A turn that the service does not score is could-not-judge, with the service's reason.
 */
export const safety = createSafety();

/** Returns the score of a turn that cannot be sent to the service, or `null` if it can. */
function withoutText({ actual: { finalResponse, userContent } }: Turn): Score | null {
  const unjudged = unjudgedAnswer(finalResponse);
  if (unjudged !== null || contentText(userContent).trim() !== '') return unjudged;
  return couldNotJudge('the user message has no text, which the service requires');
}

/** Imitates ADK's metric, which ends at the first turn without text or with only thoughts. */
function nothingInCompat(turns: readonly Turn[]): Score | null {
  const isEmpty = (content: Content | null | undefined): boolean => contentText(content, { thoughts: true }) === '';
  if (!turns.some(({ actual }) => isEmpty(actual.finalResponse) || isEmpty(actual.userContent))) return null;
  return couldNotJudge('a turn has no text from the user or the agent: ADK then scores no turn at all');
}
