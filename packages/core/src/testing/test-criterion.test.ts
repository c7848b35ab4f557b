import { contentText } from '@agent-criteria/formats';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion, EvaluateContext } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import type { Turn } from '../contracts/transcript.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import { inference } from './builders.ts';
import type { CriterionExample } from './example.ts';
import { scriptedModel } from './scripted-model.ts';
import { testCriterion } from './test-criterion.ts';

const example: CriterionExample = {
  name: 'an example',
  evalCase: evalCase('one', [{ user: 'Hi', answer: 'Hello there' }]),
  inference: inference([{ user: 'Hi', answer: 'Hello there' }]),
  scores: [1],
};
const judged: CriterionExample = { ...example, models: () => ({ judge: scriptedModel(['yes']) }) };

/** Creates a conforming criterion, with the changes that a test makes to it. */
function criterion(more: Partial<Criterion> = {}): Criterion {
  return {
    ...defineCriterion({
      name: 'same_answer',
      origin: { package: 'test', version: '1.0.0' },
      description: 'The answer is the expected one.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      needs: { reference: 'response' },
      options: noOptions,
      scope: 'turn',
      evaluate(turn): Score {
        if (turn.expected === null) return { value: null, missing: 'not-applicable', reason: 'no reference' };
        return { value: contentText(turn.actual.finalResponse) === contentText(turn.expected.finalResponse) ? 1 : 0 };
      },
    }),
    ...more,
  } as Criterion;
}

async function broken(tested: Criterion, examples: readonly CriterionExample[] = [example]): Promise<string> {
  try {
    await testCriterion(tested, { examples });
  } catch (error) {
    return (error as Error).message;
  }
  return 'conforms';
}

describe('testCriterion', () => {
  it('accepts a conforming criterion', async () => {
    expect(await broken(criterion())).toBe('conforms');
  });

  it('requires examples, and the scores that they name', async () => {
    expect(await broken(criterion(), [])).toContain('has examples');
    expect(await broken(criterion(), [{ ...example, scores: [0] }])).toContain('expected [0], found [1]');
    expect(await broken(criterion(), [{ ...example, scores: ['could-not-judge'] }])).toContain(
      'gives the expected scores',
    );
  });

  it('rejects a value outside the range', async () => {
    expect(await broken(criterion({ evaluate: () => ({ value: 2 }) } as Partial<Criterion>))).toContain(
      'outside its range',
    );
  });

  it('rejects a value beside `missing`, even if only a failed call triggers it, and in parts', async () => {
    const both = { value: 1, missing: 'could-not-judge', reason: 'the service was down' };
    const part = { id: 'a', kind: 'check', ...both };
    for (const returned of [both, { parts: [part] }, { value: 1, overall: both }]) {
      const tested = criterion({ needs: {}, evaluate: () => returned } as unknown as Partial<Criterion>);
      expect(await broken(tested, [{ ...example, scores: ['could-not-judge'] }])).toContain('gave both a result and');
    }
    const keepsDefault = criterion({
      needs: {},
      models: () => ['judge'],
      evaluate: async (_turn: Turn, { tools }: EvaluateContext<unknown>) => {
        const score: Record<string, unknown> = { value: 1 };
        try {
          const { text } = await tools.model('judge').generate({ messages: [], sample: 0 }, tools.signal);
          score.value = text === 'yes' ? 1 : 0;
        } catch {
          score.missing = 'could-not-judge';
        }
        return score;
      },
    } as unknown as Partial<Criterion>);
    expect(await broken(keepsDefault, [judged])).toMatch(
      /cannot judge when the model is unreachable.*gave both a result/,
    );
  });

  it('rejects scores that change from one evaluation to the next', async () => {
    let calls = 0;
    const evaluate = (): Score => ({ value: ++calls % 2 });
    expect(await broken(criterion({ needs: {}, evaluate } as Partial<Criterion>))).toContain(
      'two evaluations of the same input differ',
    );
  });

  it('rejects evidence that lacks a field of its kind, also in a part', async () => {
    const evidence = [{ kind: 'opinions', questions: [], samples: [{ opinions: [] }] }];
    const part = { id: 'a', kind: 'rubric', value: 1, evidence };
    const told =
      'an example: gives evidence as its kinds have it: evidence of the kind "opinions" lacks what reports need';
    for (const score of [{ value: 1, evidence }, { parts: [part] }]) {
      // A criterion in plain JavaScript may return this.
      const evaluate = (): Score => JSON.parse(JSON.stringify(score));
      expect(await broken(criterion({ needs: {}, evaluate } as Partial<Criterion>))).toContain(told);
    }
    const value = { kind: 'opinions', of: 'something of its own' };
    const own = { value: 1, evidence: [{ kind: 'json', label: 'found', value }] };
    expect(await broken(criterion({ needs: {}, evaluate: () => own } as Partial<Criterion>))).toBe('conforms');
  });

  it('rejects a criterion that changes its input', async () => {
    const evaluate = (turn: Turn): Score => {
      Object.assign(turn.actual, { invocationId: 'mine' });
      return { value: 1 };
    };
    expect(await broken(criterion({ needs: {}, evaluate } as Partial<Criterion>))).toContain('leaves its inputs alone');
  });

  it('rejects a number if there is no reference', async () => {
    const evaluate = (): Score => ({ value: 1 });
    expect(await broken(criterion({ evaluate } as Partial<Criterion>))).toContain('must be not-applicable');
  });

  it('rejects a number if the judge failed', async () => {
    const evaluate = async (_turn: unknown, { tools }: EvaluateContext<unknown>): Promise<Score> => {
      try {
        const { text } = await tools.model('judge').generate({ messages: [], sample: 0 }, tools.signal);
        return { value: text === 'yes' ? 1 : 0 };
      } catch {
        return { value: 0 };
      }
    };
    const message = await broken(criterion({ needs: {}, models: () => ['judge'], evaluate } as Partial<Criterion>), [
      judged,
    ]);
    for (const way of ['is unreachable', 'says nothing', 'is cut off', 'is blocked', 'talks nonsense']) {
      expect(message).toContain(`cannot judge when the model ${way}: gave 0 all the same`);
    }
  });

  it('rejects a criterion that goes on after an abort', async () => {
    const evaluate = async (_turn: unknown, { tools }: EvaluateContext<unknown>): Promise<Score> => {
      // Its own signal, so that the run cannot stop it.
      await tools.model('judge').generate({ messages: [], sample: 0 }, new AbortController().signal);
      return { value: 1 };
    };
    const message = await broken(criterion({ needs: {}, models: () => ['judge'], evaluate } as Partial<Criterion>), [
      judged,
    ]);
    expect(message).toContain('did not end within two seconds of an abort');
  });

  it('rejects an aggregate that improves when an input gets worse', async () => {
    expect(await broken(criterion({ aggregate: (values) => 1 - Math.min(...values) }))).toContain(
      'aggregate never improves',
    );
    expect(await broken(criterion({ aggregate: (values) => Math.min(1, values.length / 3) }))).toContain(
      'aggregate never improves',
    );
    expect(await broken(criterion({ aggregate: (values) => Math.min(...values) }))).toBe('conforms');
  });

  it('rejects a criterion that no registry would accept', async () => {
    expect(await broken(criterion({ origin: { package: 'test', version: 'new' } }))).toContain('registers');
    expect(await broken(criterion({ description: '' }))).toContain('describes itself');
  });
});
