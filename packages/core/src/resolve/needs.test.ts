import { CriteriaError, type EvalCase } from '@agent-criteria/formats';
import { describe, expect, it } from 'vitest';
import type { Criterion, Needs } from '../contracts/criterion.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions, optionsSchema } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { evalCase } from '../testing/index.ts';
import { fittingCriteria } from './needs.ts';
import { resolveEvalConfig } from './resolve-eval-config.ts';
import type { ResolveOptions } from './resolve-options.ts';

const criterion = (name: string, needs: Needs = {}, decides = true): Criterion =>
  defineCriterion({
    name,
    needs,
    decides,
    options: noOptions,
    description: 'Good.',
    range: { min: 0, max: 1, better: 'higher' },
    origin: { package: 'mine', version: '1.0.0' },
    scope: 'turn',
    evaluate: () => ({ value: 1 }),
  });

const registry = createRegistry([
  criterion('tool_trajectory_avg_score', { reference: 'tools' }),
  criterion('response_match_score', { reference: 'response' }),
  criterion('by_rubrics', { rubrics: { type: 'X' } }),
  criterion('of_simulated', { scenario: true }),
  criterion('always'),
  criterion('counts', { reference: 'tools' }, false),
]);

const led = (evalId: string): EvalCase => ({
  evalId,
  conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Talk.' },
});
const fixed = (evalId: string) => evalCase(evalId, [{ user: 'Hi', answer: 'Hello' }]);

function resolve(evalCases: EvalCase[], config: unknown, more: Partial<ResolveOptions> = {}) {
  return resolveEvalConfig({ evalSet: { evalSetId: 's', evalCases }, config, registry, scoringOnly: true, ...more });
}

function problemsOf(evalCases: EvalCase[], config: unknown): readonly string[] {
  try {
    resolve(evalCases, config);
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map(({ message }) => message);
  }
}

const warningsOf = (evalCases: EvalCase[], config: unknown) =>
  resolve(evalCases, config).warnings.map(({ message }) => message);

describe('fittingCriteria', () => {
  it('omits criteria that apply to no case, whatever their options', () => {
    const asking = (name: string, options: Criterion['options']): Criterion => ({
      ...criterion(name),
      options,
      unmetNeed: () => 'the case asks for nothing here',
    });
    const words = optionsSchema({ type: 'object', properties: { words: { type: 'integer' } } });
    const plugins = [asking('plain', noOptions), asking('by_options', words), criterion('always')];
    expect(fittingCriteria(createRegistry(plugins), [fixed('a')], null, { installed: [], installable: [] })).toBe(
      'These fit this set: always, by_options',
    );
  });

  it('omits criteria that the application knows would score no case', () => {
    const plugins = createRegistry([criterion('calls', { reference: 'tools' }), criterion('always')]);
    const wouldScore = (name: string) => name !== 'calls';
    expect(fittingCriteria(plugins, [fixed('a')], null, { installed: [], installable: [] }, wouldScore)).toBe(
      'These fit this set: always',
    );
  });

  it('lists some registered criteria, or, if none fits, those that could be installed', () => {
    expect(
      fittingCriteria(registry, [led('a')], null, { installed: [], installable: ['more (npm install more)', 'other'] }),
    ).toBe('These fit this set: always, by_rubrics with rubrics, of_simulated; agent-criteria criteria lists all');
    expect(fittingCriteria(registry, [fixed('a')], null, { installed: [], installable: [] })).toBe(
      'These fit this set: tool_trajectory_avg_score, response_match_score, always, counts, by_rubrics with rubrics',
    );
    expect(fittingCriteria(createRegistry([]), [led('a')], null, { installed: [], installable: [] })).toBe(
      'No registered criterion fits',
    );
    expect(
      fittingCriteria(createRegistry([]), [led('a')], null, {
        installed: [],
        installable: ['more (npm install more)', 'other'],
      }),
    ).toBe(
      'No registered criterion fits, but with its package: more (npm install more); agent-criteria criteria lists all',
    );
  });
});

describe('a criterion that fits no case', () => {
  it('is an error, and the suggestions are listed only once', () => {
    const [first, second, ...more] = problemsOf([led('a')], {
      criteria: { tool_trajectory_avg_score: 1, response_match_score: 1 },
    });
    expect(first).toMatch(/^tool_trajectory_avg_score applies to no case of the eval set "s": .* These fit this set: /);
    expect(first).not.toContain('agent-criteria init');
    expect(second).toMatch(/^response_match_score applies to no case of the eval set "s": [^.]*$/);
    expect(more).toEqual([]);
  });

  it('is dropped with a single warning if it is a default that no config names', () => {
    const unanswered = evalCase('a', [{ user: 'Hi', calls: [] }]);
    const { criteria, warnings } = resolve([unanswered], null);
    expect(criteria.map(({ name }) => name)).toEqual(['tool_trajectory_avg_score']);
    expect(warnings).toMatchObject([
      {
        code: 'NEEDS_UNMET',
        path: '$.criteria.response_match_score',
        message:
          'no config names the default criterion response_match_score (no turn of the case expects an answer), and it applies to no case of the eval set "s": it is left out',
      },
    ]);
    expect(problemsOf([unanswered], { criteria: { response_match_score: 1, always: 1 } })).toHaveLength(1);
  });

  it('warns about a case with nothing to compare against, until the case follows the advice', () => {
    const [only, ...more] = resolve([evalCase('a', [{ user: 'Hi' }])], {
      criteria: { tool_trajectory_avg_score: 1 },
    }).warnings;
    expect(only?.path).toBe('$.eval_cases[0].conversation');
    expect(only?.message).toContain('so it will be not evaluated. Write "calls": [] beside "user"');
    expect(more).toEqual([]);
    const quiet = (evalCases: EvalCase[], criteria: Record<string, number>) =>
      resolve(evalCases, { criteria }).warnings.map(({ message }) => message);
    expect(quiet([evalCase('a', [{ user: 'Hi', calls: [] }])], { tool_trajectory_avg_score: 1 })).toEqual([]);
    expect(quiet([evalCase('a', [{ user: 'Hi' }])], { tool_trajectory_avg_score: 1, always: 1 })).toEqual([]);
  });

  it('is an error with suggestions if no default remains, and with the command that writes a config', () => {
    const [only, ...more] = problemsOf([led('a')], null);
    expect(only).toMatch(/^there is no config, and no default criterion applies to any case of the eval set "s": /);
    expect(only).toContain('These fit this set: ');
    expect(only).toContain('agent-criteria init proposes one');
    expect(more).toEqual([]);
  });
});

describe('a criterion that fits some cases', () => {
  const mixed = [fixed('fixed'), led('led'), led('too')];

  it('is a warning with the entry that lets the other criteria decide', () => {
    const config = { criteria: { tool_trajectory_avg_score: 1, always: 1 } };
    const [warning, ...more] = warningsOf(mixed, config);
    const entry = '{ "threshold": 1, "when_not_applicable": "skip" }';
    expect(warning).toContain('does not apply to 2 of 3 cases');
    expect(warning).toContain(`"tool_trajectory_avg_score": ${entry} lets their other criteria decide`);
    expect(more).toEqual([]);
    // The suggested entry must work.
    const [skipped] = warningsOf(mixed, { criteria: { tool_trajectory_avg_score: JSON.parse(entry), always: 1 } });
    expect(skipped).toMatch(/: their other criteria decide$/);
  });

  it('names only the key if the entry has other keys', () => {
    const entry = { threshold: 1, min_coverage: 0.5 };
    const [warning] = warningsOf(mixed, { criteria: { tool_trajectory_avg_score: entry, always: 1 } });
    expect(warning).toContain(
      '"when_not_applicable": "skip" on tool_trajectory_avg_score lets their other criteria decide',
    );
  });

  it('suggests criteria for cases that no deciding criterion applies to', () => {
    const skip = { threshold: 1, when_not_applicable: 'skip' };
    const warnings = warningsOf(mixed, { criteria: { tool_trajectory_avg_score: skip, response_match_score: skip } });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(
      /: no deciding criterion applies to "led" and 1 more, so they will be not evaluated\. These fit this set: /,
    );
    expect(warnings[0]).toContain('of_simulated');
    expect(warnings[0]).not.toContain('their other');
    expect(warnings[1]).toMatch(/^response_match_score does not apply to 2 of 3 cases \([^)]*\)$/);
  });

  it('warns that cases without a deciding criterion still run, if an agent is to run', () => {
    const silent = (evalId: string) => evalCase(evalId, [{ user: 'Hi' }]);
    const said = (...cases: EvalCase[]) =>
      resolve(cases, { criteria: { response_match_score: 1 } }, { scoringOnly: false }).warnings[0]?.message;
    expect(said(fixed('a'), silent('b'))).toContain(
      'no deciding criterion applies to "b", so it will be not evaluated (its conversation is still generated). These',
    );
    expect(said(fixed('a'), silent('b'), silent('c'))).toContain(
      'applies to "b" and 1 more, so they will be not evaluated (their conversations are still generated). These',
    );
  });

  it('gets no advice on deciding if it only measures', () => {
    const config = { criteria: { always: 1 }, agent_criteria: { measure: ['counts'] } };
    const { warnings } = resolve(mixed, config);
    expect(warnings).toMatchObject([
      {
        message: expect.stringMatching(/^counts does not apply to 2 of 3 cases \([^)]*\)$/),
        path: '$.agent_criteria.measure',
      },
    ]);
  });
});

describe('a need that depends on options', () => {
  const contains = defineCriterion({
    name: 'contains',
    description: 'The answer has the word.',
    options: { ...optionsSchema({ type: 'object', properties: { word: { type: 'string' } } }) },
    unmetNeed: (_case, { word }) => (word === undefined ? 'no word is given' : null),
    evaluate: () => ({ value: 1 }),
  });
  const own = (evalId: string, word: string) => ({ ...fixed(evalId), agentCriteria: { contains: { word } } });
  const given = { registry: createRegistry([contains, criterion('always')]) };
  const refusal = (evalCases: EvalCase[], config: unknown) => {
    try {
      resolve(evalCases, config, given);
      return '';
    } catch (error) {
      return CriteriaError.is(error) ? error.message : String(error);
    }
  };

  it('is met by the options of the config or of the case', () => {
    expect(resolve([fixed('a')], { criteria: { contains: { threshold: 1, word: 'x' } } }, given).warnings).toEqual([]);
    expect(resolve([own('a', 'x')], { criteria: { contains: 1 } }, given).warnings).toEqual([]);
    const [planned] = resolve([own('a', 'x'), fixed('b')], { criteria: { contains: 1 } }, given).criteria;
    expect([...(planned?.inapplicable ?? [])]).toEqual([['b', 'no word is given']]);
  });

  it('is an error if no case meets it, and if the check throws', () => {
    expect(refusal([fixed('a')], { criteria: { contains: 1 } })).toContain(
      'contains applies to no case of the eval set "s": no word is given',
    );
    const broken = { ...contains, unmetNeed: () => JSON.parse('{') };
    expect(() => resolve([fixed('a')], { criteria: { contains: 1 } }, { registry: createRegistry([broken]) })).toThrow(
      'unmetNeed of contains (this project) threw',
    );
  });

  it('warns about case options for a criterion that the config does not name', () => {
    const { warnings } = resolve([own('a', 'x'), own('b', 'y'), fixed('c')], { criteria: { always: 1 } }, given);
    expect(warnings).toEqual([
      expect.objectContaining({
        message:
          '2 of 3 cases have options for contains, which does not judge them: the config does not name it. Add it under "criteria"',
        path: '$.eval_cases[0].agent_criteria.contains',
      }),
    ]);
  });
});
