import { CriteriaError, type Problem, type State, toolSteps } from '@agent-criteria/core';
import type { SimulatedCall, SimulatedCase } from '@agent-criteria/core/host';
import { equalValues } from '@agent-criteria/values';
import manifest from '../package.json' with { type: 'json' };
import { defineToolSimulator } from './define-tool-simulator.ts';

/**
 * Replays the tool answers that a case has recorded, as in a case made from a run: each call gets the next unused answer to a
 * call of the same tool with equal arguments, in the order of the recording. A call without such an answer is an error of the case.
 */
export const recordedTools = defineToolSimulator({
  name: 'recorded',
  origin: { package: manifest.name, version: manifest.version },
  check: checkRecorded,
  open({ case: evalCase }) {
    const left = recordedAnswers(evalCase);
    return {
      async answer(call) {
        const index = left.findIndex((one) => isOf(one, call));
        const found = left[index];
        if (found === undefined) throw missing(call, evalCase);
        left.splice(index, 1);
        return found.response;
      },
    };
  },
});

interface RecordedAnswer {
  readonly tool: string;
  readonly args: State;
  readonly response: State;
}

/** Lists the answers that a case has recorded, in order. */
function recordedAnswers({ conversation }: SimulatedCase['case']): RecordedAnswer[] {
  return (conversation ?? []).flatMap((turn) =>
    toolSteps(turn).flatMap(({ call, response }) => {
      if (!response?.response) return [];
      return [{ tool: call.name ?? '', args: (call.args ?? {}) as State, response: response.response as State }];
    }),
  );
}

function isOf({ tool, args }: RecordedAnswer, call: SimulatedCall): boolean {
  return tool === call.tool && equalValues(args, call.args, 'json');
}

function checkRecorded({ case: evalCase, toolNames }: SimulatedCase): readonly Problem[] {
  const recorded = new Set(recordedAnswers(evalCase).map(({ tool }) => tool));
  const called = new Set((evalCase.conversation ?? []).flatMap((turn) => toolSteps(turn).map(({ call }) => call.name)));
  // A tool that the case does not call may not be called in the run either.
  return toolNames
    .filter((name) => called.has(name) && !recorded.has(name))
    .map((name) => ({
      code: 'INVALID_DATA' as const,
      message:
        `the case calls the tool "${name}" and has no recorded answer of it: make the case from a run, add tool_responses to ` +
        'intermediate_data, or choose another mock_strategy_type',
    }));
}

function missing({ tool, args }: SimulatedCall, evalCase: SimulatedCase['case']): CriteriaError {
  const same = recordedAnswers(evalCase).filter((one) => one.tool === tool);
  const shown = JSON.stringify(args).slice(0, 500);
  const known = same.map((one) => JSON.stringify(one.args).slice(0, 100)).slice(0, 5);
  const had =
    same.length === 0
      ? 'the case has recorded no call of this tool'
      : `the case has recorded calls with ${known.join(', ')}${same.length > known.length ? ', and others' : ''}, each to be answered once`;
  const message = `the agent called the tool "${tool}" with arguments for which no recorded answer is left: ${shown}; ${had}`;
  return new CriteriaError({ code: 'STUB_UNMATCHED', message });
}
