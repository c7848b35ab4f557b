import { defineCriterion, type FunctionCall, pythonTransfer, type Score } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { actualCalls, callsIn } from './actual-calls.ts';
import { explain } from './explanation.ts';
import { matchTrajectory } from './match.ts';
import { trajectoryOptions } from './options.ts';

/**
 * `tool_trajectory_avg_score`: 1 for a turn in which the agent made the expected tool calls, else 0.
 *
 * Needs expected turns; a turn that lists no calls expects none. Not applicable if the case has no expectation for a
 * turn, or if it does not state the turn's calls and no forbidden tool was called. A score of 0 has an aligned diff as
 * evidence.
 */
export const toolTrajectory = defineCriterion({
  name: 'tool_trajectory_avg_score',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The agent called the expected tools with the expected arguments.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { reference: 'tools' },
  options: trajectoryOptions,
  adk: { mean: 'sum', missing: 'dropped' },
  scope: 'turn',
  evaluate(turn, { options, tools, transcript }): Score {
    if (turn.expected === null) {
      return { value: null, missing: 'not-applicable', reason: 'The case has no expectation for this turn.' };
    }
    const spelt = (call: FunctionCall) => (tools.compat === null ? pythonTransfer(call) : call);
    const made = actualCalls(turn, transcript.inference.trace, options);
    if ('unknown' in made)
      return { value: null, missing: 'could-not-judge', reason: `Nested calls cannot be compared: ${made.unknown}.` };
    const actual = made.map(spelt);
    const expected = callsIn(turn.expected, options.includeServerSideCalls).map(spelt);
    const { matchType, forbiddenTools } = options;
    if (turn.callsNotStated === true) {
      const called = actual.find(({ name }) => typeof name === 'string' && forbiddenTools.includes(name));
      if (called !== undefined) return { value: 0, reason: `${called.name} was called, which is forbidden.` };
      // The absence of forbidden calls does not show that the right calls were made.
      return {
        value: null,
        missing: 'not-applicable',
        reason: 'The case does not state which calls this turn expects.',
      };
    }

    const warnings: string[] = [];
    if ((turn.expected.intermediateData ?? null) === null) {
      warnings.push(
        'The expected turn says nothing about tool calls, so none is expected. To say that this is meant, write "calls": [] ' +
          'beside "user", or "intermediate_data": { "tool_uses": [] } beside "user_content".',
      );
    }
    if (expected.length === 0 && matchType !== 'EXACT' && forbiddenTools.length === 0) {
      warnings.push(
        `This turn can never fail: ${matchType} accepts any calls where none is expected. ` +
          'Use "match_type": "EXACT", or name "forbidden_tools".',
      );
    }
    const contradictory = expected.find((call) => typeof call.name === 'string' && forbiddenTools.includes(call.name));
    if (contradictory !== undefined) {
      warnings.push(`This turn can never pass: it expects a call of ${contradictory.name}, which is forbidden.`);
    }
    const shown = warnings.length === 0 ? {} : { warnings };

    const inForce = { ...options, compat: tools.compat };
    const match = matchTrajectory(actual, expected, inForce);
    if (match.score === 1) return { value: 1, ...shown };
    const { alignment, forbidden } = match;
    return { value: 0, ...explain({ expected, actual, alignment, forbidden, options: inForce }), ...shown };
  },
});
