import type { Criterion, EvalCase } from '@agent-criteria/core';
import { evalCase, inference, scriptedModel } from '@agent-criteria/core/testing';
import { finalResponseMatch, finalResponseQuality } from '@agent-criteria/criteria-llm-judge/pure';
import { materialOf } from '../../../packages/criteria-hallucination/src/__fixtures__/scripted-judge.ts';
import { matchJudge, rubricAnswer } from '../../../packages/criteria-llm-judge/src/__fixtures__/judges.ts';
import { rubric } from '../../../packages/criteria-llm-judge/src/__fixtures__/rubrics.ts';
import { comesTo, explained, type Outcome, voteOf } from '../as-lines-say.ts';
import { areaDriver, type Driver, functionDriver } from '../driver.ts';
import type { Held } from '../held.ts';
import { askedTurn, judgedTurns } from '../judged-turns.ts';
import { type Kind, ofKind } from '../kinds.ts';
import { adkOutcome, honestInCompat, MODES, type Mode, ourOutcome, refusalOf, throughCore } from '../through-core.ts';

// Votes, labels, prompts and failed calls of final_response_match_v2.

/** Compares a vote. ADK counts scores of exactly 1 and exactly 0; no judge gives any other score. */
async function heldVote(scores: readonly (number | null)[], winner: number): Promise<readonly Held[]> {
  const judge = matchJudge((sample) => (scores[sample] === 1 ? 'valid' : scores[sample] === 0 ? 'invalid' : 'perhaps'));
  const run = async (compat: Mode) => {
    const { criterion } = await throughCore({
      criterion: finalResponseMatch,
      ...judgedTurns(1),
      judge,
      compat,
      threshold: 0.5,
      options: { judge_model_options: { num_samples: scores.length } },
    });
    return criterion;
  };
  const [compat, ours] = [await run('adk'), await run(null)];
  const score = scores[winner] === 1 || scores[winner] === 0 ? scores[winner] : null;
  const adk: Outcome = { score, status: score === null ? 'NOT_EVALUATED' : score === 1 ? 'PASSED' : 'FAILED' };
  const model = (lines: ReadonlySet<string>) =>
    comesTo(
      {
        turns: [voteOf(scores, lines.has('majority-of-all-samples'))],
        threshold: 0.5,
        adk: { mean: 'sum', missing: 'dropped' },
      },
      lines,
    );
  const lines = ['majority-of-all-samples', 'missing-is-a-bound'];
  honestInCompat(compat, model(new Set(lines)));
  const held = explained(lines, model, { adk, compat: adkOutcome(compat), ours: ourOutcome(ours) });
  const given = compat.turns[0]?.score;
  if (given === undefined || !('value' in given) || given.value === null) return [held];
  return [held, { adk: `sample ${winner}`, ours: given.reason }];
}

const KEY = '"is_the_agent_response_valid"';

/** Returns the label under the last such key, in lower case and without full stops and spaces. */
function stated(text: string): 1 | 0 | null {
  const [, written = ''] = /.*"is_the_agent_response_valid"\s*:\s*"?([\w .]+?)"?\s*[,}]/s.exec(text) ?? [];
  const label = written.toLowerCase().replace(/\.$/, '').trim().replaceAll(' ', '_');
  if (['valid', 'true'].includes(label)) return 1;
  return ['invalid', 'false', 'almost', 'partially_valid', 'partially', 'not_valid'].includes(label) ? 0 : null;
}

/** Differences in how we read an answer: list B, in both modes. `null` is no opinion. */
const READ_OTHERWISE: readonly Kind<string, 1 | 0 | null>[] = [
  {
    why: 'a key other than the one that was asked for is no verdict',
    line: 'judge-answers',
    applies: (text) => text.includes('"is_the_agent_response_invalid"') && !text.includes(KEY),
    comesTo: () => null,
  },
  {
    why: 'an object that does not end is no verdict',
    line: 'judge-answers',
    applies: (text) => text.includes('{') && !text.includes('}'),
    comesTo: () => null,
  },
  {
    why: "case, full stops, Python's spelling and white space do not change a label",
    line: 'judge-answers',
    applies: (text) =>
      /^\{[^{}]*\}$/.test(text) && /"is_the_agent_response_valid"(\s+:|\s*:\s*("?[A-Z]|"\w+ \w|"\w+\."))/.test(text),
    comesTo: stated,
  },
  {
    why: 'a quotation before the object is not the verdict',
    line: 'judge-answers',
    applies: (text) => /^[^{]*"is_the_agent_response_valid"[^{]*\{/.test(text),
    comesTo: stated,
  },
];

export const finalResponseMatchKinds = READ_OTHERWISE.map(({ why }) => why);

async function read(text: string, compat: Mode): Promise<number | null> {
  const { criterion } = await throughCore({
    criterion: finalResponseMatch,
    ...judgedTurns(1),
    judge: matchJudge(() => ({ text })),
    compat,
    threshold: 1,
    options: { judge_model_options: { num_samples: 1 } },
  });
  return criterion.score;
}

interface Samples {
  readonly numSamples: number;
  readonly invocations?: readonly (readonly (string | number)[])[];
}

async function heldSamples({ numSamples, invocations }: Samples, adk: readonly (number | null)[]): Promise<Held> {
  const turns = invocations ?? [];
  const judge = scriptedModel((request) => {
    const said = turns[askedTurn(request)]?.[request.sample];
    // An empty stream is not an answer either: a provider throws.
    if (typeof said !== 'number') throw new Error(String(said));
    return rubricAnswer(request, () => (said === 1 ? 'yes' : 'no'));
  });
  const run = async (compat: Mode) => {
    const { criterion } = await throughCore({
      criterion: finalResponseQuality,
      ...judgedTurns(turns.length),
      judge,
      compat,
      threshold: 1,
      options: { judge_model_options: { num_samples: numSamples }, rubrics: [rubric('a')] },
    });
    return criterion.turns.map(({ value }) => value);
  };
  const model = (lines: ReadonlySet<string>) =>
    turns.map((samples) => {
      const votes = samples.map((said) => (typeof said === 'number' ? said : null));
      if (votes.includes(null) && !lines.has('failed-call')) return null;
      return voteOf(votes, lines.has('majority-of-all-samples'));
    });
  const lines = ['failed-call', 'majority-of-all-samples'];
  return explained<readonly (number | null)[]>(lines, model, { adk, compat: await run('adk'), ours: await run(null) });
}

const SCENARIO: EvalCase = {
  evalId: 'led',
  conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Say bye.' },
};

/** Our error codes for ADK's messages. */
const CODES: Readonly<Record<string, string>> = {
  'invalid option': 'INVALID_OPTION',
  'expected invocations required': 'NEEDS_UNMET',
};

function heldRefusal(criterion: Criterion, one: EvalCase, error: string | undefined, options = {}): readonly Held[] {
  const adk = CODES[error ?? ''] ?? error;
  return MODES.map((compat) => ({ adk, ours: refusalOf({ criterion, evalCase: one, threshold: 1, compat, options }) }));
}

interface Prompt {
  readonly expectedUserText: string;
  readonly actualUserText: string;
  readonly expectedFinal: string;
  readonly actualFinal: string;
}

/** Returns the texts shown to a judge, under ADK's names. */
async function prompted(input: Prompt, compat: Mode) {
  const judge = matchJudge(() => 'valid');
  await throughCore({
    criterion: finalResponseMatch,
    judge,
    compat,
    threshold: 1,
    evalCase: evalCase('one', [{ user: input.expectedUserText, answer: input.expectedFinal }]),
    inference: inference([{ user: input.actualUserText, answer: input.actualFinal }]),
  });
  const [request] = judge.requests;
  if (request === undefined) throw new Error('no judge was called for');
  const shown = materialOf(request);
  return {
    userPrompt: shown.get('user message'),
    agentResponse: shown.get("agent's answer"),
    reference: shown.get('reference answer'),
  };
}

export const finalResponseMatchDrivers: readonly Driver[] = [
  functionDriver<{ samples: readonly { tag: string; score: number | null }[] }, string>(
    'final_response_match_v2.aggregate_per_invocation_samples',
    ({ input: { samples }, output }) =>
      heldVote(
        samples.map(({ score }) => score),
        samples.findIndex(({ tag }) => tag === output),
      ),
  ),
  areaDriver<{ samples: readonly (number | null)[] }, { sampleIndex: number }>('frm2.vote', ({ input, expected }) =>
    heldVote(input.samples, expected.sampleIndex),
  ),
  areaDriver<{ text: string }, string>('frm2.label', async ({ input: { text }, expected }) => {
    const adk = expected === 'VALID' ? 1 : expected === 'INVALID' ? 0 : null;
    return ofKind(READ_OTHERWISE, text, { adk, compat: await read(text, 'adk'), ours: await read(text, null) });
  }),
  areaDriver<Samples, { invocations?: readonly { score: number | null }[]; error?: string }>(
    'judge.samples',
    ({ input, expected }) => {
      if (expected.invocations !== undefined) {
        return heldSamples(
          input,
          expected.invocations.map(({ score }) => score),
        );
      }
      const options = { judge_model_options: { num_samples: input.numSamples }, rubrics: [rubric('a')] };
      return heldRefusal(finalResponseQuality, judgedTurns(1).evalCase, expected.error, options);
    },
  ),
  areaDriver<unknown, { error: string }>('frm2.reference', ({ expected }) =>
    heldRefusal(finalResponseMatch, SCENARIO, expected.error),
  ),
  areaDriver<Prompt, unknown>('frm2.prompt', async ({ input, expected }) => ({
    adk: expected,
    compat: await prompted(input, 'adk'),
    ours: await prompted(input, null),
    lines: ['question-asked'],
    expected: {
      userPrompt: input.actualUserText,
      agentResponse: input.actualFinal,
      reference: input.expectedFinal,
    },
  })),
];
