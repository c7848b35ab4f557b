import type { EvalCase, Rubric } from '@agent-criteria/formats';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import { defineCriterion } from '../define-criterion.ts';
import { optionsSchema } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { evalSet, invocation } from '../testing/builders.ts';
import { resolveEvalConfig } from './resolve-eval-config.ts';

const common = {
  origin: { package: 'test', version: '1.0.0' },
  description: 'for these tests only',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { rubrics: { type: 'QUALITY' } },
  options: optionsSchema<{ rubrics?: Rubric[] }, { rubrics: Rubric[] }>(
    {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ value: { rubrics: [], ...(value as object) } }),
      },
    },
    { type: 'object', properties: { rubrics: { type: 'array' } } },
  ),
} as const;
const turns = defineCriterion({ ...common, name: 'by_turn', scope: 'turn', evaluate: () => ({ value: 1 }) });
const whole = defineCriterion({ ...common, name: 'whole', scope: 'conversation', evaluate: () => ({ value: 1 }) });

const rubric = (rubricId: string, type = 'QUALITY'): Rubric => ({
  rubricId,
  type,
  rubricContent: { textProperty: 'x' },
});
const withTurns = (evalId: string, own: readonly Rubric[][], ofCase: Rubric[] = []): EvalCase => ({
  ...evalCase(evalId, []),
  conversation: own.map((rubrics) => ({ ...invocation({}), rubrics })),
  rubrics: ofCase,
});

function messagesOf(criterion: Criterion, cases: readonly EvalCase[], rubrics: readonly Rubric[] = []): string[] {
  const evalSetOfCases = evalSet(cases);
  const config = { criteria: { [criterion.name]: { threshold: 1, rubrics } } };
  try {
    resolveEvalConfig({ evalSet: evalSetOfCases, config, registry: createRegistry([criterion]) });
    return [];
  } catch (error) {
    return (error as { problems: { code: string; message: string }[] }).problems.map(
      ({ code, message }) => `${code} ${message}`,
    );
  }
}

describe('a duplicate rubric id', () => {
  it('is an error within one list and across two, and the message names the id, criterion and case', () => {
    const [a, b] = [rubric('a'), rubric('b')];
    const places: readonly (readonly [EvalCase, Rubric[]])[] = [
      [withTurns('one', [[b]]), [a, a]],
      [withTurns('one', [[]], [a]), [a]],
      [withTurns('one', [[b], [b, a]]), [a]],
      [withTurns('one', [[a]], [a]), []],
      [withTurns('one', [[a, a]]), []],
    ];
    for (const [theCase, own] of places) {
      for (const criterion of [turns, whole]) {
        expect(messagesOf(criterion, [theCase], own)).toEqual([
          expect.stringMatching(`^DUPLICATE_ID ${criterion.name} would judge .*: "a" \\(case "one"\\)\\. `),
        ]);
      }
    }
  });

  it('is allowed if the rubrics are not judged together, or belong to another criterion', () => {
    expect(messagesOf(turns, [withTurns('one', [[rubric('a')], [rubric('a')]])])).toEqual([]);
    expect(messagesOf(turns, [withTurns('one', [[rubric('a'), rubric('a', 'OTHER')]])])).toEqual([]);
    expect(messagesOf(whole, [withTurns('one', [[rubric('a'), rubric('a')], [rubric('b')]])])).toEqual([]);
  });

  it('is reported once, however many cases have it', () => {
    const cases = ['one', 'two', 'three'].map((id) => withTurns(id, [[]], [rubric('a')]));
    expect(messagesOf(turns, cases, [rubric('a')])).toEqual([expect.stringContaining('"a" (case "one" and 2 more)')]);
    const many = Array.from({ length: 8 }, (_, index) => rubric(String(index)));
    expect(messagesOf(turns, [withTurns('one', [[]], many)], many)).toEqual([
      expect.stringContaining(', and 3 more. '),
    ]);
  });

  it('is also found in the options of a case', () => {
    const theCase = {
      ...withTurns('one', [[]], [rubric('a')]),
      agentCriteria: { by_turn: { rubrics: [{ ...rubric('a') }] } },
    };
    expect(messagesOf(turns, [JSON.parse(JSON.stringify(theCase))])).toEqual([
      expect.stringContaining('"a" (case "one")'),
    ]);
  });
});

it('a conversation is judged by the rubrics of its last turn, and those of other turns do not satisfy any needs', () => {
  expect(messagesOf(whole, [withTurns('one', [[], [rubric('a')]])])).toEqual([]);
  expect(messagesOf(turns, [withTurns('one', [[rubric('a')], []])])).toEqual([]);
  expect(messagesOf(whole, [withTurns('one', [[rubric('a')], []])])).toEqual([expect.stringContaining('NEEDS_UNMET')]);
});
