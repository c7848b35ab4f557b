import type { Json } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { CaseCriteria, Options } from './case-criteria.ts';
import { settleCriteria } from './settle-criteria.ts';

interface Given {
  readonly options?: Readonly<Record<string, Options>>;
  readonly rubrics?: readonly string[];
  readonly entries?: Readonly<Record<string, Options>>;
  readonly judges?: readonly string[];
}

const criteriaOf = ({ options = {}, rubrics = [], entries = {}, judges = [] }: Given): CaseCriteria => ({
  options: new Map(Object.entries(options)),
  rubrics: rubrics.map((text) => ({
    rubricId: text,
    rubricContent: { textProperty: text },
    type: 'FINAL_RESPONSE_QUALITY',
  })),
  entries: new Map(Object.entries(entries)),
  judges,
});

function settle(...given: readonly Given[]) {
  const losses: string[] = [];
  const { config, cases } = settleCriteria(given.map(criteriaOf), (what) => losses.push(what));
  const left = cases.map(({ options, rubrics }) => [Object.fromEntries(options), rubrics.map((one) => one.rubricId)]);
  return { criteria: config.criteria, cases: left, losses };
}

describe('criteria of cases', () => {
  test('that all share are in the config, and the others in their cases', () => {
    const { criteria, cases } = settle(
      { options: { response_checks: { contains: ['a'], ignore_case: true } }, rubrics: ['polite', 'short'] },
      { options: { response_checks: { contains: ['b'], ignore_case: true } }, rubrics: ['polite'] },
    );
    expect(criteria).toEqual({
      response_checks: { threshold: 1, ignore_case: true },
      rubric_based_final_response_quality_v1: {
        threshold: 1,
        rubrics: [{ rubric_id: 'polite', rubric_content: { text_property: 'polite' } }],
      },
    });
    expect(cases).toEqual([
      [{ response_checks: { contains: ['a'] } }, ['short']],
      [{ response_checks: { contains: ['b'] } }, []],
    ]);
  });

  test('that some cases do not have are skipped there', () => {
    const { criteria, cases } = settle({ options: { tool_checks: { called: ['find'] } } }, { rubrics: ['polite'] });
    expect(criteria).toEqual({
      tool_checks: { threshold: 1, whenNotApplicable: 'skip' },
      rubric_based_final_response_quality_v1: { threshold: 1, whenNotApplicable: 'skip' },
    });
    expect(cases).toEqual([
      [{ tool_checks: { called: ['find'] } }, []],
      [{}, ['polite']],
    ]);
  });

  test('with different thresholds have the strictest, which is listed', () => {
    const { criteria, losses } = settle(
      { entries: { response_match_score: { threshold: 0.5, type: 'rouge1' }, max_turn_seconds: { threshold: 3 } } },
      { entries: { response_match_score: { threshold: 0.8, type: 'rouge1' }, max_turn_seconds: { threshold: 2 } } },
    );
    expect(criteria).toEqual({
      response_match_score: { threshold: 0.8, type: 'rouge1' },
      max_turn_seconds: { threshold: 2 },
    });
    expect(losses).toEqual([
      'thresholds of response_match_score that differ between cases: the strictest, 0.8, applies to all',
      'thresholds of max_turn_seconds that differ between cases: the strictest, 2, applies to all',
    ]);
  });

  test('limit nothing for all if only some cases have the limit', () => {
    const { criteria, losses } = settle({ entries: { max_turn_seconds: { threshold: 3 } } }, {});
    expect([criteria, losses]).toEqual([{}, [expect.stringContaining('max_turn_seconds for some of the cases')]]);
  });

  test('have the judge that they name, unless they name several', () => {
    const one = { rubrics: ['polite'], entries: { final_response_match_v2: { threshold: 1 } } };
    const judge = { judge_model_options: { judge_model: 'openai/gpt-4o' } };
    expect(settle({ ...one, judges: ['openai/gpt-4o'] }, one).criteria).toMatchObject({
      rubric_based_final_response_quality_v1: judge,
      final_response_match_v2: judge,
    });
    const { criteria, losses } = settle({ ...one, judges: ['a'] }, { ...one, judges: ['b'] });
    expect(criteria?.rubric_based_final_response_quality_v1).not.toHaveProperty('judge_model_options');
    expect(losses).toEqual(['different judges (a, b), left out: name one with --judge-model']);
  });

  test('are the same after the options of the config and of the case are put together', () => {
    const option = fc.constantFrom('contains', 'excludes', 'ignore_case');
    const value = fc.constantFrom<Json>('a', 'b', true);
    const options = fc.option(fc.dictionary(option, value, { maxKeys: 3, noNullPrototype: true }));
    fc.assert(
      fc.property(fc.array(options, { minLength: 1, maxLength: 4 }), (all) => {
        const given = all.map((one) => criteriaOf(one === null ? {} : { options: { checks: one } }));
        const { config, cases } = settleCriteria(given, () => undefined);
        const { threshold: _, whenNotApplicable: __, ...shared } = Object(config.criteria?.checks);
        for (const [index, one] of all.entries()) {
          if (one !== null) expect({ ...shared, ...cases[index]?.options.get('checks') }).toEqual(one);
          else expect(shared).toEqual({});
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
