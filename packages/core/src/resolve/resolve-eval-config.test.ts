import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/formats';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { UserSimulator } from '../contracts/user-simulator.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions, optionsSchema } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { evalSet } from '../testing/builders.ts';
import { optionsFor } from './plan.ts';
import type { UnknownName } from './plugin-advice.ts';
import { resolveEvalConfig } from './resolve-eval-config.ts';
import type { ResolveOptions } from './resolve-options.ts';

const origin = { package: 'test', version: '1.0.0' };
const range = { min: 0, max: 1, better: 'higher' } as const;

function plain(name: string, more: Partial<Criterion> = {}): Criterion {
  return {
    ...defineCriterion({
      name,
      origin,
      description: 'for these tests only',
      decides: true,
      range,
      options: noOptions,
      scope: 'turn',
      evaluate: () => ({ value: 1 }),
    }),
    ...more,
  } as Criterion;
}

/** Options typical of a plugin: two keys, one of them a map with the user's own keys. */
const picky = plain('picky', {
  options: optionsSchema(
    {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate(value) {
          const { matchType = 'EXACT', ...rest } = value as { matchType?: unknown };
          if (matchType === 'WRONG') return { issues: [{ message: 'is wrong', path: ['matchType'] }] };
          return { value: { matchType, ...rest } };
        },
      },
    },
    {
      type: 'object',
      properties: {
        matchType: { type: 'string' },
        byTool: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
    },
  ),
});

const registry = createRegistry([
  plain('tool_trajectory_avg_score', { needs: { reference: 'tools' } }),
  plain('response_match_score', { needs: { reference: 'response' } }),
  plain('needs_rubrics', { needs: { rubrics: { type: 'QUALITY' } } }),
  plain('only_counts', { decides: false, range: { min: 0, max: null, better: 'lower' } }),
  picky,
]);

const set = evalSet([evalCase('one', [{ user: 'Hi', answer: 'Hello' }]), evalCase('two', [{ user: 'Bye' }])]);

function resolve(config: unknown, more: Partial<ResolveOptions> = {}) {
  return resolveEvalConfig({ evalSet: set, config, registry, ...more });
}

function problemsOf(config: unknown, more: Partial<ResolveOptions> = {}): readonly Problem[] {
  try {
    resolve(config, more);
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems;
    throw error;
  }
  return [];
}

describe('resolveEvalConfig', () => {
  it("uses ADK's criteria if there is no config", () => {
    const { criteria, config } = resolve(undefined);
    expect(config).toBeNull();
    expect(criteria.map(({ name, threshold }) => [name, threshold])).toEqual([
      ['tool_trajectory_avg_score', 1],
      ['response_match_score', 0.8],
    ]);
  });

  it('keeps the order of the config, accepts both spellings and fills in defaults', () => {
    const { criteria } = resolve({
      criteria: { picky: { threshold: 0.5, match_type: 'ANY', byTool: { my_tool: true } }, response_match_score: 0.3 },
    });
    expect(criteria).toMatchObject([
      {
        name: 'picky',
        decides: true,
        threshold: 0.5,
        minCoverage: 1,
        whenNotApplicable: 'not-evaluated',
        options: { matchType: 'ANY', byTool: { my_tool: true } },
      },
      { name: 'response_match_score', threshold: 0.3 },
    ]);
    const more = resolve({ criteria: { picky: { threshold: 1, min_coverage: 0.5, when_not_applicable: 'skip' } } });
    expect(more.criteria[0]).toMatchObject({
      minCoverage: 0.5,
      whenNotApplicable: 'skip',
      options: { matchType: 'EXACT' },
    });
  });

  it('ignores comments with a warning: keys that begin with _, and description', () => {
    const { criteria, warnings } = resolve({
      _comment: 'For CI.',
      description: 'For CI.',
      criteria: { picky: { threshold: 0.5, _why: 'x', description: 'Strict.' } },
    });
    expect(criteria.map(({ name }) => name)).toEqual(['picky']);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'UNKNOWN_KEY $._comment',
      'UNKNOWN_KEY $.description',
      'UNKNOWN_KEY $.criteria.picky._why',
      'UNKNOWN_KEY $.criteria.picky.description',
    ]);
    expect(warnings[0]?.message).toBe('unknown key "_comment" is read as a comment and left out, as in ADK');
  });

  it('warns about comments in the options of a simulated user, even if the set needs none', () => {
    const simulator: UserSimulator = {
      kind: 'user-simulator',
      name: 'llm_backed',
      specVersion: 1,
      origin: { package: 'mine', version: '1.0.0' },
      options: noOptions,
      open: () => ({ next: () => Promise.reject(new Error('never')) }),
    };
    const { warnings } = resolve(
      { criteria: { picky: 1 }, user_simulator_config: { _why: 'x', description: 'Patient.' } },
      { registry: createRegistry([plain('picky'), simulator]) },
    );
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'UNKNOWN_KEY $.user_simulator_config._why',
      'UNKNOWN_KEY $.user_simulator_config.description',
    ]);
  });

  it.each(['include_intermediate_responses_in_final', 'includeIntermediateResponsesInFinal'])(
    'accepts %s: false on every criterion, because ADK records it there, and rejects other values',
    (key) => {
      const { criteria, warnings } = resolve({ criteria: { picky: { threshold: 0.3, [key]: false } } });
      expect([criteria.length, warnings]).toEqual([1, []]);
      const [problem] = problemsOf({ criteria: { picky: { threshold: 0.3, [key]: true } } });
      const message = `picky reads final answers only, so "${key}" can only be false; remove it`;
      expect(problem).toMatchObject({ code: 'UNKNOWN_KEY', path: `$.criteria.picky.${key}`, message });
    },
  );

  it('suggests the intended threshold for one on a scale of 10 or 100', () => {
    for (const [threshold, meant] of [
      [7, 0.7],
      [70, 0.7],
      [8.5, 0.85],
    ] as const) {
      const [problem] = problemsOf({ criteria: { response_match_score: threshold } });
      expect(problem?.message).toContain(`did you mean ${meant}?`);
    }
    const [odd] = problemsOf({ criteria: { response_match_score: 1.5 } });
    expect(odd?.message).toMatch(/outside the range of response_match_score, 0 to 1$/);
  });

  it('reports all mistakes at once, each with its path', () => {
    const problems = problemsOf(
      {
        criteria: {
          response_match_score: 80,
          tool_trajectory_avg_scor: 1,
          hallucinations_v1: 0.5,
          picky: { threshold: 0.5, mach_type: 'EXACT' },
          only_counts: 3,
          tool_call_count_v1: 5,
        },
        custom_metrics: { unused: { code_config: { name: 'a.b' } } },
      },
      { file: 'test_config.json' },
    );
    expect(problems.every((problem) => problem.file === 'test_config.json')).toBe(true);
    const shown = problems.map(({ code, path, message }) => [code, path, message]);
    expect(shown).toEqual([
      ['INVALID_THRESHOLD', '$.criteria.response_match_score', expect.stringContaining('did you mean 0.8?')],
      [
        'UNKNOWN_CRITERION',
        '$.criteria.tool_trajectory_avg_scor',
        expect.stringContaining('did you mean "tool_trajectory_avg_score"?'),
      ],
      [
        'UNKNOWN_CRITERION',
        '$.criteria.hallucinations_v1',
        expect.stringContaining('there is no criterion named "hallucinations_v1"'),
      ],
      ['UNKNOWN_KEY', '$.criteria.picky.mach_type', expect.stringMatching(/did you mean "match_?[tT]ype"\?/)],
      ['INVALID_THRESHOLD', '$.criteria.only_counts', expect.stringContaining('takes no threshold')],
      ['UNKNOWN_CRITERION', '$.criteria.tool_call_count_v1', expect.stringContaining('there is no criterion named')],
      ['INVALID_CONFIG', '$.custom_metrics.unused', expect.stringContaining('would never run')],
    ]);
  });

  it.each([
    ['my.metrics.tone', 'the function "my.metrics.tone" of the custom metric "tone" is not loaded'],
    ['./metrics.ts#tone', 'Register a criterion named "tone" that does the same'],
  ])('reports once that the function %s of a custom metric is not loaded: %s', (name, told) => {
    for (const entries of [{ criteria: { tone: 1 } }, { agent_criteria: { measure: ['tone'] } }]) {
      const problems = problemsOf({ ...entries, custom_metrics: { tone: { code_config: { name } } } });
      expect(problems).toMatchObject([
        { code: 'UNKNOWN_CRITERION', path: '$.custom_metrics.tone', message: expect.stringContaining(told) },
      ]);
    }
  });

  it.each([
    ['true', true],
    ['a text', '0.8'],
    ['null', null],
    ['below the range', -1],
    ['no threshold', {}],
    ['NaN', Number.NaN],
  ])('rejects a threshold that is %s', (_what, threshold) => {
    expect(problemsOf({ criteria: { response_match_score: threshold } })).not.toEqual([]);
  });

  it('reports mistakes in the file and in its criteria together', () => {
    const config = { criterias: {}, criteria: { response_match_score: 80, picky: true, nobody: 1 } };
    expect(problemsOf(config).map(({ path }) => path)).toEqual([
      '$.criterias',
      '$.criteria.picky',
      '$.criteria.response_match_score',
      '$.criteria.nobody',
    ]);
  });

  it("suggests core's own keys for a misspelt one", () => {
    const problems = problemsOf({ criteria: { picky: { treshold: 1 } } });
    expect(problems.map(({ message }) => message).join()).toContain('did you mean "threshold"?');
  });

  it.each([0, 1.5, -0.5])('rejects min_coverage %s', (minCoverage) => {
    const problems = problemsOf({ criteria: { response_match_score: { threshold: 1, min_coverage: minCoverage } } });
    expect(problems.map((problem) => problem.path)).toEqual(['$.criteria.response_match_score.min_coverage']);
  });

  it.each([{}, { criteria: {} }, { criterias: { response_match_score: 1 } }])(
    'rejects %j, which would judge nothing',
    (config) => {
      expect(problemsOf(config)).not.toEqual([]);
    },
  );

  it("reports the error of a plugin's validator at the path that the user wrote", () => {
    expect(problemsOf({ criteria: { picky: { threshold: 1, match_type: 'WRONG' } } })).toMatchObject([
      { code: 'INVALID_OPTION', path: '$.criteria.picky.match_type', message: expect.stringContaining('is wrong') },
    ]);
  });

  it('merges the options of a case over those of the config', () => {
    const evalSetWithOptions: EvalSet = evalSet([
      evalCase('one', [{ user: 'Hello' }]),
      evalCase('two', [{ user: 'Hello' }], { agentCriteria: { picky: { match_type: 'ANY' } } }),
    ]);
    const config = { criteria: { picky: { threshold: 1, byTool: { a: true } } } };
    const [planned] = resolve(config, { evalSet: evalSetWithOptions }).criteria;
    if (planned === undefined) throw new Error('nothing was planned');
    expect(optionsFor(planned, 'one')).toEqual({ matchType: 'EXACT', byTool: { a: true } });
    expect(optionsFor(planned, 'two')).toEqual({ matchType: 'ANY', byTool: { a: true } });
    const wrong = evalSet([
      evalCase('one', [{ user: 'Hello' }], { agentCriteria: { picky: { match_tipe: 'ANY' }, nobody: {} } }),
    ]);
    expect(problemsOf(config, { evalSet: wrong })).toMatchObject([
      { path: '$.eval_cases[0].agent_criteria.picky.match_tipe' },
      { code: 'UNKNOWN_CRITERION', message: expect.stringContaining('"nobody"') },
    ]);
  });

  it('measures the criteria that agent_criteria.measure names, and rejects a threshold there', () => {
    const config = {
      criteria: { response_match_score: 1 },
      agent_criteria: { measure: ['tool_trajectory_avg_score', 'only_counts'] },
    };
    expect(resolve(config).criteria.map(({ name, decides, threshold }) => [name, decides, threshold])).toEqual([
      ['response_match_score', true, 1],
      ['tool_trajectory_avg_score', false, null],
      ['only_counts', false, null],
    ]);
    const both = { criteria: { response_match_score: 1 }, agent_criteria: { measure: ['response_match_score'] } };
    expect(problemsOf(both)).toMatchObject([
      { code: 'INVALID_THRESHOLD', message: expect.stringContaining('agent_criteria.measure') },
    ]);
  });

  it('warns about a criterion that does not apply to some cases, and rejects one that applies to none', () => {
    const some = resolve({ criteria: { response_match_score: 1 } });
    expect(some.warnings).toMatchObject([{ code: 'NEEDS_UNMET', message: expect.stringContaining('1 of 2 cases') }]);
    expect([...(some.criteria[0]?.inapplicable ?? [])]).toEqual([['two', 'no turn of the case expects an answer']]);
    expect(problemsOf({ criteria: { needs_rubrics: 1 } })).toMatchObject([
      {
        code: 'NEEDS_UNMET',
        message: expect.stringMatching(
          /rubrics of the type QUALITY\. Put rubrics into its entry, as "rubrics": \[\{ "rubric_id": "polite"/,
        ),
      },
    ]);
  });

  it('reports a missing simulator, a missing model and live settings before the run', () => {
    const scenario: EvalSet = {
      evalSetId: 'set',
      evalCases: [{ evalId: 'case', conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Talk.' } }],
    };
    expect(problemsOf({ criteria: { picky: 1 } }, { evalSet: scenario })).toMatchObject([
      {
        code: 'UNKNOWN_SIMULATOR',
        message: expect.stringContaining(
          'needs a simulated user, and there is no user simulator of the type "llm_backed"',
        ),
      },
    ]);
    expect(problemsOf({ criteria: { picky: 1 } }, { evalSet: scenario, scoringOnly: true })).toEqual([]);
    const judged = createRegistry([plain('judged', { models: () => ['judge', 'gemini-x'] })]);
    const has = { id: 'judge', generate: () => Promise.reject(new Error('never')) };
    const models = (name: string) => (name === 'judge' ? has : undefined);
    expect(problemsOf({ criteria: { judged: 1 } }, { registry: judged, models })).toMatchObject([
      { code: 'UNKNOWN_MODEL', message: expect.stringContaining('"gemini-x"') },
    ]);
    expect(problemsOf({ criteria: { picky: 1 }, live_model_config: { timeout_seconds: 3 } })).toMatchObject([
      { code: 'INVALID_CONFIG', path: '$.live_model_config' },
    ]);
  });

  it('rejects an unknown simulator type, even if no case needs one', () => {
    const config = { criteria: { picky: 1 }, user_simulator_config: { type: 'llm_baked' } };
    expect(problemsOf(config)).toMatchObject([
      { code: 'UNKNOWN_SIMULATOR', message: expect.stringContaining('of the type "llm_baked"') },
    ]);
    expect(problemsOf({ ...config, user_simulator_config: { type: 'llm_backed', model: 'any' } })).toEqual([]);
  });

  it("uses the application's explanations for unknown names", () => {
    const asked: string[] = [];
    const advice = {
      explainUnknown(unknown: UnknownName) {
        asked.push(`${unknown.kind} ${unknown.name}`);
        return `install ${unknown.name}`;
      },
      installableCriteria: () => ['more'],
    };
    const config = {
      criteria: { mine: 1, needs_rubrics: 1 },
      custom_metrics: { tone: { code_config: { name: 'a.b' } } },
      agent_criteria: { measure: ['tone'] },
      user_simulator_config: { type: 'other' },
    };
    const messages = problemsOf(config, { advice }).map(({ message }) => message);
    expect(asked.sort()).toEqual(['criterion mine', 'custom-metric tone', 'user-simulator other']);
    expect(messages).toEqual(expect.arrayContaining(['install mine', 'install tone', 'install other']));
  });

  it('uses only the plugins that the config holds as values, if there are any', () => {
    const plan = resolveEvalConfig({ evalSet: set, config: { plugins: [picky], criteria: { picky: 1 } } });
    expect(plan.criteria[0]?.criterion).toBe(picky);
    const elsewhere = () =>
      resolveEvalConfig({ evalSet: set, config: { plugins: [picky], criteria: { only_counts: {} } } });
    expect(elsewhere).toThrow('there is no criterion named "only_counts"');
  });

  it('reports failures inside a plugin along with all other mistakes, naming its package', () => {
    const answers = (validate: (value: unknown) => unknown) =>
      ({ ...noOptions, '~standard': { ...noOptions['~standard'], validate } }) as Criterion['options'];
    const throwing = () => {
      throw new Error('broken inside');
    };
    const broken = createRegistry([
      plain('throws', { options: answers(throwing) }),
      plain('waits', { options: answers(async () => ({ value: {} })) }),
      plain('says_nothing', { options: answers(() => null) }),
      plain('bad_models', { models: () => 'judge' as never }),
      plain('bad_check', { check: throwing }),
    ]);
    const config = { criteria: { throws: 1, waits: 1, says_nothing: 1, bad_models: 1, bad_check: 1, nobody: 1 } };
    const problems = problemsOf(config, { registry: broken });
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ['INVALID_PLUGIN', '$.criteria.throws'],
      ['INVALID_PLUGIN', '$.criteria.waits'],
      ['INVALID_PLUGIN', '$.criteria.says_nothing'],
      ['INVALID_PLUGIN', '$.criteria.bad_models'],
      ['INVALID_PLUGIN', '$.criteria.bad_check'],
      ['UNKNOWN_CRITERION', '$.criteria.nobody'],
    ]);
    expect(problems[0]?.message).toContain('broken inside');
  });

  it("adds the criterion's path to a problem that its check reports without one", () => {
    const check = () => [{ code: 'INVALID_CONFIG' as const, message: 'odd', path: undefined, file: undefined }];
    const problems = problemsOf(
      { criteria: { checks: 1 } },
      { registry: createRegistry([plain('checks', { check })]), file: 'test_config.json' },
    );
    expect(problems).toMatchObject([{ message: 'odd', path: '$.criteria.checks', file: 'test_config.json' }]);
  });

  it('finds duplicate case ids, also in a set built in code', () => {
    const twice = evalSet([evalCase('one', [{ user: 'Hello' }]), evalCase('one', [{ user: 'Hello' }])]);
    expect(problemsOf({ criteria: { picky: 1 } }, { evalSet: twice })).toMatchObject([
      { code: 'DUPLICATE_ID', path: '$.eval_cases[1].eval_id' },
    ]);
  });

  it("looks names up both in the given registry and in the config's plugins", () => {
    const config = { plugins: [plain('brought_along')], criteria: { picky: 1, brought_along: 1 } };
    expect(resolve(config).criteria.map(({ name }) => name)).toEqual(['picky', 'brought_along']);
  });

  it('asks a provider for each model once', () => {
    let made = 0;
    const provider = {
      kind: 'model-provider' as const,
      specVersion: 1 as const,
      name: 'test-provider',
      origin,
      accepts: (name: string) => name.startsWith('test-'),
      create: (id: string) => {
        made += 1;
        return { id, generate: () => Promise.reject(new Error('never')) };
      },
    };
    const judged = plain('judged', { models: () => ['test-model'] });
    const plan = resolve({ criteria: { judged: 1 } }, { registry: createRegistry([judged, provider]) });
    expect(plan.models('test-model')).toBe(plan.models('test-model'));
    expect(plan.models('other')).toBeUndefined();
    expect(made).toBe(1);
  });

  it("checks access to a criterion's service, unless its answers are recorded", () => {
    const missing = { code: 'MISSING_ENVIRONMENT' as const, message: 'set A_KEY' };
    const access = (_: unknown, environment: Readonly<Record<string, string | undefined>>) => ({
      service: 'a service',
      credentials: null,
      problems: environment.A_KEY === undefined ? [missing] : [],
    });
    const served = createRegistry([plain('served', { access })]);
    const config = { criteria: { served: 1 } };
    expect(problemsOf(config, { registry: served })).toEqual([{ ...missing, path: '$.criteria.served' }]);
    for (const more of [{ environment: { A_KEY: 'k' } }, { modelsRecorded: true }, { inferencesOnly: true }]) {
      expect(problemsOf(config, { registry: served, ...more })).toEqual([]);
    }
    const broken = createRegistry([plain('served', { access: () => null as never })]);
    expect(problemsOf(config, { registry: broken })).toMatchObject([{ code: 'INVALID_PLUGIN' }]);
  });

  it('does not modify its inputs', () => {
    const config = { criteria: { picky: { threshold: 1, match_type: 'ANY' } } };
    const before = structuredClone({ config, set });
    resolve(config);
    expect({ config, set }).toEqual(before);
  });
});

describe('settings as options', () => {
  const priced = plain('priced', {
    options: optionsSchema({
      type: 'object',
      properties: {
        unitPrices: { type: 'object', additionalProperties: { type: 'number', minimum: 0 }, 'x-setting': 'prices' },
        prices: { type: 'object', additionalProperties: { type: 'number' } },
      },
    }),
  });
  const registry = createRegistry([priced]);
  const settings = { prices: { large: 2 }, other: 1 };
  const set = evalSet([
    evalCase('a', [{ user: 'Hi' }]),
    { ...evalCase('b', [{ user: 'Hi' }]), agentCriteria: { priced: { unit_prices: { small: 1 } } } },
  ]);
  const planned = (entry: unknown, more: Partial<ResolveOptions> = {}) => {
    const [one] = resolveEvalConfig({
      evalSet: set,
      config: { criteria: { priced: entry } },
      registry,
      settings,
      ...more,
    }).criteria;
    return one;
  };

  it('are used if an option names them and nothing else sets that option, and are included in the written entry', () => {
    const one = planned(0.5);
    expect(one?.options).toEqual({ unitPrices: { large: 2 } });
    expect(one && optionsFor(one, 'b')).toEqual({ unitPrices: { small: 1 } });
    expect(one?.written).toEqual({ threshold: 0.5, unitPrices: { large: 2 } });
    const config = { agent_criteria: { measure: ['priced'] } };
    expect(planned(0, { config })?.options).toEqual({ unitPrices: { large: 2 } });
  });

  it("do not override the config's own values, in either spelling or location", () => {
    for (const own of [{ unit_prices: {} }, { unitPrices: {} }, { agent_criteria: { unit_prices: {} } }])
      expect(planned({ threshold: 0.5, ...own })?.options).toEqual({ unitPrices: {} });
    expect(planned(0.5, { settings: {} })?.options).toEqual({});
    expect(planned(0.5, { settings: { prices: undefined } })?.written).toBe(0.5);
  });
});
