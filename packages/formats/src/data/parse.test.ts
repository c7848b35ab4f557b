import { describe, expect, it } from 'vitest';
import { CriteriaError, type Problem } from '../errors.ts';
import type { EvalSet } from './model.ts';
import {
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSet,
  parseEvalSetResult,
  parseSessionInput,
  writeEvalSet,
} from './parse.ts';

/** Returns the problems that a call throws, or `[]`. */
function problems(call: () => unknown): readonly Problem[] {
  try {
    call();
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems;
  }
}
const lines = (call: () => unknown) => problems(call).map(({ code, path, message }) => `${code} ${path}: ${message}`);

const turn = { user_content: { parts: [{ text: 'Hi' }] } };
const scenario = { starting_prompt: 'a', conversation_plan: 'b' };
const setOf = (...eval_cases: unknown[]) => ({ eval_set_id: 's', eval_cases });
const rubric = (rubric_id: string) => ({ rubric_id, rubric_content: { text_property: 'x' } });

describe('parseEvalSet()', () => {
  it('reports all mistakes, with paths in the spelling of the file', () => {
    const set = {
      evalSetId: 7,
      evalCases: [
        { eval_id: 'a', conversation: [turn, { userContent: { parts: 'abc' } }] },
        { eval_id: 'a', conversation: [{}], session_input: { appName: 'x' } },
        { evalId: 'b', conversation: [] },
        { eval_id: 'c', converstion: [turn] },
        { eval_id: 'd', conversation: [turn], conversation_scenario: scenario },
        'e',
      ],
      creation_timestamp: '2026-01-01',
    };
    expect(lines(() => parseEvalSet(set))).toEqual([
      'INVALID_DATA $.evalSetId: expected text, found the number 7',
      'INVALID_DATA $.evalCases[0].conversation[1].userContent.parts: expected a list or null, found the text "abc"',
      'INVALID_DATA $.evalCases[1].conversation[0]: "user_content" is missing (an object)',
      'INVALID_DATA $.evalCases[1].session_input: "userId" is missing (text)',
      'INVALID_DATA $.evalCases[5]: expected an object with "eval_id", found the text "e"',
      'INVALID_DATA $.creation_timestamp: expected a number, found the text "2026-01-01"',
      'DUPLICATE_ID $.evalCases[1].eval_id: "a" is already the id of $.evalCases[0]; give each case its own id',
      'EMPTY $.evalCases[2].conversation: the conversation has no turn, so nothing would be judged; add one',
      'INVALID_DATA $.evalCases[3]: a case needs "conversation" or "conversation_scenario"; is "converstion" a misspelling of it?',
      'INVALID_DATA $.evalCases[4]: a case has "conversation" or "conversation_scenario", not both; remove one',
    ]);
  });

  it('names the file in every problem and warning', () => {
    const broken = problems(() => parseEvalSet(setOf({ eval_id: 1 }), { file: 'a.evalset.json' }));
    expect(broken.map((problem) => problem.file)).toEqual(['a.evalset.json', 'a.evalset.json']);
    const odd = parseEvalSet(
      { ...setOf({ eval_id: 'a', conversation: [turn] }), extra: 1 },
      { file: 'a.evalset.json' },
    );
    expect(odd.warnings[0]?.file).toBe('a.evalset.json');
  });

  it('rejects a set without cases unless allowEmpty is set', () => {
    expect(lines(() => parseEvalSet(setOf()))).toEqual([
      'EMPTY $.eval_cases: the set has no case, so nothing would be evaluated; add one',
    ]);
    expect(parseEvalSet(setOf(), { allowEmpty: true }).value).toEqual({ evalSetId: 's', evalCases: [] });
  });

  it.each([
    [{ rubrics: [rubric('a'), rubric('a')] }, '$.eval_cases[0].rubrics[1].rubric_id', '$.eval_cases[0].rubrics[0]'],
    [
      { rubrics: [rubric('a')], conversation: [turn, { ...turn, rubrics: [rubric('b'), rubric('a')] }] },
      '$.eval_cases[0].conversation[1].rubrics[1].rubric_id',
      '$.eval_cases[0].rubrics[0]',
    ],
    [
      { conversation: [{ ...turn, rubrics: [rubric('b'), rubric('b')] }] },
      '$.eval_cases[0].conversation[0].rubrics[1].rubric_id',
      '$.eval_cases[0].conversation[0].rubrics[0]',
    ],
  ])('rejects two rubrics with the same id for one turn: %j', (fields, second, first) => {
    const found = problems(() => parseEvalSet(setOf({ eval_id: 'x', conversation: [turn], ...fields })));
    expect(found.map(({ code, path }) => [code, path])).toEqual([['DUPLICATE_ID', second]]);
    expect(found[0]?.message).toContain(`the id of ${first},`);
  });

  it('accepts the same rubric id in two turns', () => {
    const conversation = [
      { ...turn, rubrics: [rubric('a')] },
      { ...turn, rubrics: [rubric('a')] },
    ];
    expect(lines(() => parseEvalSet(setOf({ eval_id: 'x', conversation })))).toEqual([]);
  });

  it('distinguishes null from absent, and adds no fields', () => {
    const set = setOf({ eval_id: 'x', conversation: null, conversation_scenario: scenario, final_session_state: null });
    expect(parseEvalSet(set).value.evalCases).toEqual([
      {
        evalId: 'x',
        conversation: null,
        conversationScenario: { startingPrompt: 'a', conversationPlan: 'b' },
        finalSessionState: null,
      },
    ]);
  });

  it('rejects a mix of both formats of intermediate data', () => {
    const set = setOf({
      eval_id: 'x',
      conversation: [{ ...turn, intermediate_data: { tool_uses: [], invocationEvents: [] } }],
    });
    expect(lines(() => parseEvalSet(set))).toEqual([
      'INVALID_DATA $.eval_cases[0].conversation[0].intermediate_data.invocationEvents: "invocationEvents" cannot be combined with "tool_uses": they belong to different forms; keep one of them',
    ]);
  });

  it('warns about a key that looks like a misspelling, even if ADK keeps it silently', () => {
    const { warnings } = parseEvalSet(
      setOf({ eval_id: 'x', conversation: [turn], final_sesion_state: {}, owner: 'me' }),
    );
    expect(warnings.map(({ path }) => path)).toEqual(['$.eval_cases[0].final_sesion_state']);
  });

  it.each([
    [[], 'UNKNOWN_FORMAT', /^a list at the top is the format before eval sets: .*readEvalData/],
    [
      { id: 's', app_name: 'a', user_id: 'u', state: {}, events: [] },
      'UNKNOWN_FORMAT',
      /a session dump, not an eval set: .*initial session/,
    ],
    [{ criteria: {} }, 'UNKNOWN_FORMAT', /an eval config, not an eval set/],
    [{ evalSetResultId: 'r', evalSetId: 's' }, 'UNKNOWN_FORMAT', /an eval set result, not an eval set/],
    [{ scenarios: [] }, 'UNKNOWN_FORMAT', /a scenarios file, not an eval set/],
    [
      { eval_id: 'x', conversation: [turn] },
      'UNKNOWN_FORMAT',
      /an eval case, not an eval set: put it into "eval_cases"/,
    ],
    [{ app_name: 'a', user_id: 'u' }, 'UNKNOWN_FORMAT', /a session input, not an eval set/],
    [{}, 'INVALID_DATA', /"eval_set_id" is missing/],
    [null, 'INVALID_DATA', /expected an object with "eval_set_id" and "eval_cases", found null/],
    ['text', 'INVALID_DATA', /expected an object with "eval_set_id" and "eval_cases", found the text "text"/],
  ])('rejects other values, and names their format if it recognises it: %j', (value, code, message) => {
    const [first] = problems(() => parseEvalSet(value, { file: 'x.json' }));
    expect(first).toEqual({ code, message: expect.stringMatching(message), path: '$', file: 'x.json' });
  });

  it('shares its checks with writeEvalSet(), which rejects NaN', () => {
    const broken = { evalSetId: 's', evalCases: [{ evalId: 'x', creationTimestamp: Number.NaN }] };
    expect(lines(() => writeEvalSet(broken))).toEqual([
      'INVALID_DATA $.evalCases[0].creationTimestamp: expected a number, found NaN',
    ]);
    expect(writeEvalSet({ evalSetId: 's', evalCases: [] } satisfies EvalSet)).toEqual({
      eval_set_id: 's',
      eval_cases: [],
    });
  });
});

describe('parseEvalConfig()', () => {
  it('rejects unknown keys with a suggestion', () => {
    const config = {
      criterias: {},
      user_simulator_confg: {},
      custom_metrics: { x: { code_config: { name: 'a', args: [] } } },
    };
    expect(lines(() => parseEvalConfig(config))).toEqual([
      'UNKNOWN_KEY $.custom_metrics.x.code_config.args: unknown key "args"; known are name',
      'UNKNOWN_KEY $.criterias: unknown key "criterias"; did you mean "criteria"?',
      'UNKNOWN_KEY $.user_simulator_confg: unknown key "user_simulator_confg"; did you mean "user_simulator_config"?',
    ]);
  });

  it.each([
    ['0.8', 'the text "0.8" is not a threshold; write the number 0.8, without quotes'],
    ['80%', 'the text "80%" is not a threshold; write a number, or an object of "threshold" and options'],
    [' ', 'the text " " is not a threshold; write a number, or an object of "threshold" and options'],
    [true, 'true is not a threshold; write a number, or an object of "threshold" and options'],
    [Number.NaN, 'NaN is not a threshold; write a number, or an object of "threshold" and options'],
    [Number.POSITIVE_INFINITY, 'Infinity is not a threshold; write a number, or an object of "threshold" and options'],
    [null, 'null is not a threshold; write a number, or an object of "threshold" and options'],
    [[1], 'a list of 1 is not a threshold; write a number, or an object of "threshold" and options'],
  ])('rejects the threshold %j', (threshold, message) => {
    expect(lines(() => parseEvalConfig({ criteria: { 'a.b': threshold } }))).toEqual([
      `INVALID_THRESHOLD $.criteria["a.b"]: ${message}`,
    ]);
    expect(lines(() => parseEvalConfig({ criteria: { x: { threshold } } }))).toEqual([
      `INVALID_THRESHOLD $.criteria.x.threshold: ${message.replace(', or an object of "threshold" and options', '')}`,
    ]);
  });

  it.each([
    [{ criteria: null }, 'INVALID_CONFIG $.criteria: expected an object, found null'],
    [[], 'INVALID_CONFIG $: expected an object, found an empty list'],
    [
      { criteria: { x: { min_coverage: 0 } } },
      'INVALID_CONFIG $.criteria.x.min_coverage: expected a number above 0 and at most 1, found the number 0',
    ],
    [
      { criteria: { x: { whenNotApplicable: 'skipp' } } },
      'INVALID_CONFIG $.criteria.x.whenNotApplicable: expected one of "not-evaluated" and "skip", found the text "skipp"; did you mean "skip"?',
    ],
    [
      { criteria: { x: { minCoverage: 1, min_coverage: 1 } } },
      'KEY_SPELT_TWICE $.criteria.x.min_coverage: "minCoverage" and "min_coverage" are two spellings of one key; keep one of them',
    ],
    [
      JSON.parse('{"criteria":{"__proto__":1}}'),
      'UNSAFE_KEY $.criteria.__proto__: the key "__proto__" is refused; rename it',
    ],
    [
      { eval_set_id: 's', eval_cases: [] },
      'UNKNOWN_FORMAT $: this is an eval set, not an eval config: give it where an eval set is expected (agent-criteria eval AGENT FILE)',
    ],
  ])('rejects %j', (config, line) => {
    expect(lines(() => parseEvalConfig(config))).toEqual([line]);
  });

  it.each([{}, { criteria: {} }, { criteria: { x: {} } }, { criteria: { x: -3, y: 80 } }])(
    'accepts values that only resolveEvalConfig() can check: %j',
    (config) => {
      expect(parseEvalConfig(config)).toEqual({ value: config, warnings: [] });
    },
  );
});

describe('the other parsers', () => {
  it('report all mistakes', () => {
    expect(lines(() => parseSessionInput({ app_name: 'a' }))).toEqual(['INVALID_DATA $: "user_id" is missing (text)']);
    expect(lines(() => parseConversationScenarios({ scenarios: [{ startingPrompt: 'a' }] }))).toEqual([
      'INVALID_DATA $.scenarios[0]: "conversationPlan" is missing (text)',
    ]);
    expect(lines(() => parseEvalSetResult('{"a"'))).toEqual([
      'NOT_JSON $: this text should contain JSON, as in old result files, but does not',
    ]);
    expect(lines(() => parseEvalSetResult('"[]"'))).toEqual([
      'UNKNOWN_FORMAT $: this text does not contain an eval set result',
    ]);
    expect(
      lines(() =>
        parseEvalSetResult({
          eval_set_result_id: 'r',
          eval_set_id: 's',
          eval_case_results: [{ final_eval_status: 'PASSED' }],
        }),
      ),
    ).toEqual([
      'INVALID_DATA $.eval_case_results[0].final_eval_status: expected one of 1, 2, 3 and 4, found the text "PASSED"',
      'INVALID_DATA $.eval_case_results[0]: "overall_eval_metric_results" is missing (a list)',
      'INVALID_DATA $.eval_case_results[0]: "eval_metric_result_per_invocation" is missing (a list)',
      'INVALID_DATA $.eval_case_results[0]: "session_id" is missing (text)',
    ]);
  });
});

describe('a misspelt key in an eval set', () => {
  const user_content = { parts: [{ text: 'Hi' }] };
  const parse = (invocation: object) =>
    parseEvalSet({ eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [{ user_content, ...invocation }] }] });

  it.each([
    ['final_respose', { final_respose: user_content }],
    ['intermediat_data', { intermediat_data: {} }],
    ['tool_use', { intermediate_data: { tool_use: [] } }],
  ])('%s is rejected, because a mere warning would lose an expectation', (_key, invocation) => {
    expect(() => parse(invocation)).toThrow('did you mean');
  });

  it('causes only a warning if the correct key is present too', () => {
    const { warnings } = parse({ final_response: user_content, final_respose: user_content, seen_by: 'me' });
    expect(warnings.map(({ path }) => path)).toEqual([
      '$.eval_cases[0].conversation[0].final_respose',
      '$.eval_cases[0].conversation[0].seen_by',
    ]);
  });
});
