import { CriteriaError, type Criterion, defineEvalConfig, type EvalCase, type Problem } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { matchJudge } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import * as plugin from './pure.ts';
import {
  finalResponseMatch,
  finalResponseQuality,
  harmlessness,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
} from './pure.ts';

const criteria: readonly Criterion[] = [
  finalResponseMatch,
  finalResponseQuality,
  harmlessness,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
];
const theCase = evalCase('one', [{ user: 'Hi', answer: 'Hello' }]);
const registry = createRegistry(criteria);
const models = () => matchJudge(() => 'valid');

function resolve(name: string, options: object, cases = [theCase]) {
  const config = { criteria: { [name]: { threshold: 1, ...options } } };
  return resolveEvalConfig({ evalSet: evalSet(cases), config, registry, models });
}

function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems;
    throw error;
  }
  return [];
}

const rubricCriteria = [
  ['rubric_based_final_response_quality_v1', 'FINAL_RESPONSE_QUALITY'],
  ['rubric_based_tool_use_quality_v1', 'TOOL_USE_QUALITY'],
  ['rubric_based_multi_turn_trajectory_quality_v1', 'TRAJECTORY_QUALITY'],
] as const;

describe.each(rubricCriteria)('the options of %s', (name, type) => {
  it("read ADK's rubrics in either spelling", () => {
    const snake = {
      rubric_id: 'a',
      rubric_content: { text_property: 'It is polite.' },
      description: 'tone',
      type: 'X',
    };
    const camel = { rubricId: 'a', rubricContent: { textProperty: 'It is polite.' }, description: 'tone', type: 'X' };
    for (const written of [snake, camel]) {
      expect(resolve(name, { rubrics: [written] }).criteria[0]?.options).toMatchObject({
        rubrics: [camel],
        judgeModelOptions: { numSamples: 5, judgeModelConfig: {} },
      });
    }
  });

  it.each([
    ['no id', [{ rubric_content: { text_property: 'x' } }], '.rubrics[0]'],
    ['an empty id', [{ rubric_id: '', rubric_content: { text_property: 'x' } }], 'a rubric needs an id'],
    ['no content', [{ rubric_id: 'a' }], '.rubrics[0]'],
    ['no text', [{ rubric_id: 'a', rubric_content: { text_property: null } }], 'text_property'],
    ['a blank text', [{ rubric_id: 'a', rubric_content: { text_property: ' \n' } }], 'a rubric needs a text'],
    ['a string in its place', ['It is polite.'], '.rubrics[0]'],
    ['a misspelt key', [{ rubric_id: 'a', rubric_content: { text_propety: 'x' } }], 'text_propert'],
  ])('reject a rubric with %s', (_what, rubrics, told) => {
    const problems = problemsOf(() => resolve(name, { rubrics }));
    expect(problems.map((problem) => `${problem.path} ${problem.message}`).join('\n')).toContain(told);
  });

  it('reject a criterion without any rubric, naming the type', () => {
    for (const options of [{}, { rubrics: [] }]) {
      expect(problemsOf(() => resolve(name, options))).toMatchObject([
        { code: 'NEEDS_UNMET', message: expect.stringContaining(`rubrics of the type ${type}`) },
      ]);
    }
    const other = { ...theCase, rubrics: [rubric('a', type.toLowerCase()), rubric('b')] };
    expect(problemsOf(() => resolve(name, {}, [other]))).toMatchObject([{ code: 'NEEDS_UNMET' }]);
  });

  it('warn about cases without rubrics if others have some', () => {
    const cases = [{ ...theCase, rubrics: [rubric('a', type)] }, evalCase('two', [{ user: 'Hello', answer: 'x' }])];
    expect(resolve(name, {}, cases).warnings).toMatchObject([
      { code: 'NEEDS_UNMET', message: expect.stringContaining('1 of 2 cases') },
    ]);
  });

  it('reject a repeated id before the run', () => {
    const own = rubric('same', 'WHATEVER');
    const ofCase: EvalCase = { ...theCase, rubrics: [rubric('same', type)] };
    const [turn] = theCase.conversation ?? [];
    const ofTurn: EvalCase = { ...theCase, conversation: turn ? [{ ...turn, rubrics: [rubric('same', type)] }] : [] };
    const places: readonly (readonly [object, EvalCase])[] = [
      [{ rubrics: [own, own] }, theCase],
      [{ rubrics: [own] }, ofCase],
      [{ rubrics: [own] }, ofTurn],
      [{}, { ...ofTurn, rubrics: [rubric('same', type)] }],
    ];
    for (const [options, one] of places) {
      expect(problemsOf(() => resolve(name, options, [one]))).toMatchObject([
        { code: 'DUPLICATE_ID', message: expect.stringContaining('"same" (case "one")') },
      ]);
    }
    expect(
      problemsOf(() => resolve(name, { rubrics: [own] }, [{ ...theCase, rubrics: [rubric('same', 'OTHER')] }])),
    ).toEqual([]);
  });
});

describe('include_intermediate_responses_in_final', () => {
  it('is an option of the criteria that judge an answer', () => {
    const own = { rubrics: [rubric('a')] };
    for (const [name, more] of [
      ['final_response_match_v2', {}],
      ['rubric_based_final_response_quality_v1', own],
    ] as const) {
      const plan = resolve(name, { include_intermediate_responses_in_final: true, ...more });
      expect(plan.criteria[0]?.options).toMatchObject({ includeIntermediateResponsesInFinal: true });
      expect(resolve(name, more).criteria[0]?.options).toMatchObject({ includeIntermediateResponsesInFinal: false });
    }
  });

  it.each(['rubric_based_tool_use_quality_v1', 'rubric_based_multi_turn_trajectory_quality_v1'])(
    'is rejected by %s with the reason, unless it is false',
    (name) => {
      for (const key of ['include_intermediate_responses_in_final', 'includeIntermediateResponsesInFinal']) {
        const options = { rubrics: [rubric('a')] };
        expect(problemsOf(() => resolve(name, { ...options, [key]: true }))).toMatchObject([
          {
            code: 'INVALID_OPTION',
            path: `$.criteria.${name}.${key}`,
            message: expect.stringContaining('this criterion does not judge final answers: remove it'),
          },
        ]);
        expect(resolve(name, { ...options, [key]: false }).criteria).toHaveLength(1);
      }
    },
  );
});

describe('the types of criteria-llm-judge', () => {
  const plugins = [
    finalResponseMatch,
    finalResponseQuality,
    toolUseQuality,
    rubricBasedMultiTurnTrajectoryQuality,
  ] as const;
  const judgeModelOptions = { judgeModel: 'gemini-2.5-pro', numSamples: 3 };

  it("have ADK's names and match the criteria", () => {
    const match: plugin.LlmAsAJudgeCriterion = {
      threshold: 0.8,
      judgeModelOptions,
      includeIntermediateResponsesInFinal: true,
    };
    const rubrics: plugin.RubricsBasedCriterion = {
      threshold: 0.8,
      judgeModelOptions,
      minCoverage: 0.5,
      rubrics: [{ rubricId: 'a', rubricContent: { textProperty: 'It is polite.' } }],
    };
    const config = defineEvalConfig({
      plugins,
      criteria: {
        final_response_match_v2: match,
        rubric_based_final_response_quality_v1: { ...rubrics, includeIntermediateResponsesInFinal: true },
        rubric_based_tool_use_quality_v1: rubrics,
        rubric_based_multi_turn_trajectory_quality_v1: rubrics,
      },
    });
    expect(resolveEvalConfig({ evalSet: evalSet([theCase]), config, models }).criteria).toHaveLength(4);
  });

  // These lines are checked by the type checker: an unused directive fails the build.
  it('reject wrong options at compile time', () => {
    const criteriaOf = (config: { readonly criteria: object }) => Object.keys(config.criteria);
    expect(
      criteriaOf(
        defineEvalConfig({
          plugins,
          criteria: {
            // @ts-expect-error the option belongs to the criteria that judge a final answer
            rubric_based_tool_use_quality_v1: { threshold: 1, includeIntermediateResponsesInFinal: true },
            // @ts-expect-error a rubric without a text
            rubric_based_multi_turn_trajectory_quality_v1: { threshold: 1, rubrics: [{ rubricId: 'a' }] },
            // @ts-expect-error the criterion has no rubrics
            final_response_match_v2: { threshold: 1, rubrics: [] },
            // @ts-expect-error a typo in the judge's options
            rubric_based_final_response_quality_v1: { threshold: 1, judgeModelOptions: { numSample: 3 } },
          },
        }),
      ),
    ).toHaveLength(4);
  });
});

it('the main entry exports one criterion for each name', () => {
  const exported = Object.values(plugin).filter((value) => 'kind' in value && value.kind === 'criterion');
  expect(exported.map((value) => 'name' in value && value.name).sort()).toEqual(
    criteria.map(({ name }) => name).sort(),
  );
});
