import type { Criterion, EvalCase, Inference, Invocation } from '@agent-criteria/core';
import type { Held } from './held.ts';
import { MODES, type Mode, refusalOf, throughCore } from './through-core.ts';

interface Refused {
  readonly criterion: Criterion;
  readonly threshold: number;
  /** The options other than the threshold, as in a config. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The expected invocations, or `null` if ADK got no reference at all. */
  readonly expected: readonly Invocation[] | null;
  readonly inference: Inference;
  /** ADK's error message. */
  readonly error: string;
}

/**
 * Compares a conversation for which ADK's metric raises an error. Without any reference, ours is rejected before the
 * run; if the numbers of turns differ, the case is not evaluated, with a reason, and other cases continue.
 */
export async function refusedConversation({ expected, error, ...rest }: Refused): Promise<readonly Held[]> {
  if (expected === null) {
    const evalCase: EvalCase = {
      evalId: 'case',
      conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Talk.' },
    };
    return MODES.map((compat) => ({
      adk: /expected_invocations is (needed|required)/.test(error) ? 'NEEDS_UNMET' : error,
      ours: refusalOf({ ...rest, evalCase, compat }),
    }));
  }
  const evalCase: EvalCase = { evalId: 'case', conversation: [...expected] };
  const run = async (compat: Mode) => {
    const { result, criterion } = await throughCore({ ...rest, evalCase, compat });
    const { verdict, reason = '' } = result;
    const said = /the inference has (\d+) turns?, but the case has (\d+) turns?/.exec(reason);
    return { verdict, score: criterion.score, got: said?.slice(1).map(Number) };
  };
  const numbers = /same length; got (\d+) and (\d+)/.exec(error)?.slice(1).map(Number);
  const wanted = { verdict: 'not-evaluated', score: null, got: numbers };
  return [
    {
      adk: error,
      compat: await run('adk'),
      ours: await run(null),
      lines: ['one-case-that-breaks'],
      expected: wanted,
      expectedInCompat: wanted,
    },
  ];
}
