import type { LanguageModel, ModelRequest, Rubric, Score } from '@agent-criteria/core';
import { evalCase, inference, scriptedModel, testTools, unit } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { namesOf, rubricAnswer, rubricJudge, type Says, shownTo } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { finalResponseQuality } from './final-response-quality.ts';
import { judgeRubrics } from './judge-rubrics.ts';

const prompt = { id: 'test/1', instructions: 'Judge.', question: 'Well?' };

async function judged(
  rubrics: readonly Rubric[],
  judge: LanguageModel,
  { numSamples = 5, compat = null }: { readonly numSamples?: number; readonly compat?: 'adk' | null } = {},
): Promise<Score> {
  const transcript = {
    unit: unit(evalCase('one', [{ user: 'Hello' }])),
    inference: inference([{}]),
    turns: [],
    rubrics,
  };
  const options = { rubrics: [], judgeModelOptions: { judgeModelConfig: {}, numSamples } };
  const tools = testTools({ models: { judge }, compat });
  const material = [{ name: 'answer', text: 'Hello' }];
  return judgeRubrics({ rubrics, prompt, material, options, tools, transcript });
}

function parts(score: Score): readonly unknown[] {
  if (!('parts' in score)) throw new Error(`the score has no parts: ${JSON.stringify(score)}`);
  return score.parts.map((part) => ['value' in part ? part.value : undefined, part.id]);
}

const [a, b] = [rubric('a'), rubric('b')];

describe('judgeRubrics()', () => {
  it('judges all rubrics in one call and returns a part for each, with rationale, evidence and vote', async () => {
    const judge = rubricJudge((id, sample) => (id === 'a' ? 'yes' : sample === 0 ? 'yes' : 'no'));
    expect(await judged([a, b], judge)).toMatchObject({
      reason: 'the rubric "b" is not fulfilled: no to b',
      parts: [
        {
          id: 'a',
          kind: 'rubric',
          text: 'It has the property a.',
          value: 1,
          reason: 'yes to a',
          evidence: [{ kind: 'vote', positive: 4, negative: 0, unreadable: 0, of: 5 }, { text: 'evidence of a' }],
        },
        {
          id: 'b',
          kind: 'rubric',
          text: 'It has the property b.',
          value: 0,
          reason: 'no to b',
          evidence: [{ kind: 'vote', positive: 1, negative: 3, unreadable: 0, of: 5 }, { text: 'evidence of b' }],
        },
      ],
      evidence: [
        {
          kind: 'opinions',
          prompt: 'test/1',
          questions: [
            { id: 'a', text: 'It has the property a.' },
            { id: 'b', text: 'It has the property b.' },
          ],
          samples: {
            length: 4,
            3: {
              sample: 3,
              opinions: [
                { question: 'a', label: 'yes', rationale: 'yes to a', countedAs: 'positive' },
                { question: 'b', label: 'no', rationale: 'no to b', countedAs: 'negative' },
              ],
            },
          },
        },
      ],
    });
    expect(judge.requests.map(namesOf)).toEqual([...Array(4)].map(() => ['a', 'b']));
    // An id is untrusted text from an eval file.
    expect(shownTo(judge)).toContain('"id": "1"');
    expect(shownTo(judge)).not.toContain('"a"');
  });

  it('samples until every rubric is decided', async () => {
    const calls = async (says: (id: string, sample: number) => Says, compat: 'adk' | null = null) => {
      const judge = rubricJudge(says);
      await judged([a, b], judge, { compat });
      return judge.requests.length;
    };
    expect(await calls(() => 'yes')).toBe(3);
    expect(await calls((id, sample) => (id === 'b' && sample === 0 ? 'no' : 'yes'))).toBe(4);
    expect(await calls((id, sample) => (id === 'b' && sample % 2 === 0 ? 'no' : 'yes'))).toBe(5);
    expect(await calls((id) => (id === 'b' ? null : 'yes'))).toBe(3);
    expect(await calls(() => 'yes', 'adk')).toBe(5);
  });

  it('reports the number of rubrics that are not fulfilled', async () => {
    const score = await judged(
      [a, b, rubric('c')],
      rubricJudge((id) => (id === 'a' ? 'yes' : 'no')),
    );
    expect(score.reason).toBe('2 of 3 rubrics are not fulfilled, the first is "b": no to b');
  });

  it('notes that a rubric did not apply', async () => {
    expect(
      await judged(
        [a],
        rubricJudge(() => 'not_applicable'),
      ),
    ).toMatchObject({
      parts: [{ value: 1, reason: 'not applicable: not_applicable to a' }],
    });
  });

  it('returns could-not-judge with a reason for each rubric without a majority', async () => {
    const silent = await judged(
      [a, b],
      rubricJudge((id) => (id === 'a' ? 'yes' : null)),
    );
    expect(silent).toMatchObject({ parts: [{ value: 1 }, { value: null, missing: 'could-not-judge' }] });
    const down = await judged(
      [a, b],
      scriptedModel(() => {
        throw new Error('connection refused');
      }),
    );
    expect(down).toMatchObject({
      parts: [
        { id: 'a', value: null, missing: 'could-not-judge', reason: expect.stringContaining('connection refused') },
        { id: 'b', value: null, missing: 'could-not-judge' },
      ],
    });
  });

  it('ignores an answer that contradicts itself', async () => {
    const says = (verdict: string) => (request: ModelRequest) => rubricAnswer(request, () => verdict);
    const both = scriptedModel((request) => `${says('no')(request)}\nOr rather: ${says('yes')(request)}`);
    expect(await judged([a], both)).toMatchObject({
      parts: [{ value: null, missing: 'could-not-judge', reason: expect.stringContaining('contradict each other') }],
    });
    const again = scriptedModel((request) => `${says('no')(request)}\nAs I said: ${says('no')(request)}`);
    expect(await judged([a], again)).toMatchObject({ parts: [{ value: 0 }] });
  });

  it('names the rubric that was judged twice and uses the other verdicts', async () => {
    const judge = scriptedModel((request) => {
      const [yes, no] = ['yes', 'no'].map((verdict) => JSON.parse(rubricAnswer(request, () => verdict)).rubrics);
      return JSON.stringify({ rubrics: [...yes, no[0]] });
    });
    expect(await judged([a, b], judge)).toMatchObject({
      parts: [{ value: null, reason: expect.stringContaining('it was judged twice: yes, and no') }, { value: 1 }],
      evidence: [
        {
          samples: {
            0: { opinions: [{ question: 'a', unreadable: 'it was judged twice: yes, and no' }, { label: 'yes' }] },
          },
        },
      ],
    });
  });

  it('shows the result of the readable samples in compat mode, as ADK does, but does not decide by it', async () => {
    const one = rubricJudge((_id, sample) => (sample === 4 ? 'yes' : null));
    expect(await judged([a], one, { compat: 'adk' })).toMatchObject({
      parts: [{ value: null, missing: 'could-not-judge', adkValue: 1 }],
    });
  });

  it('shows no value in compat mode if one call fails, as in ADK, but keeps the decision of the other samples', async () => {
    const flaky = (): LanguageModel => {
      const judge = rubricJudge(() => 'yes');
      return {
        ...judge,
        generate: (request, signal) =>
          request.sample === 1 ? Promise.reject(new Error('503')) : judge.generate(request, signal),
      };
    };
    expect(await judged([a], flaky())).toMatchObject({ parts: [{ value: 1 }] });
    expect(JSON.stringify(await judged([a], flaky()))).not.toContain('adkValue');
    expect(await judged([a], flaky(), { compat: 'adk' })).toMatchObject({ parts: [{ value: 1, adkValue: null }] });
  });

  it('respects parallelism_limit within a conversation', async () => {
    const most = async (limit: number | undefined) => {
      let [running, peak] = [0, 0];
      const judge: LanguageModel = {
        id: 'slow',
        async generate(request) {
          running += 1;
          peak = Math.max(peak, running);
          await new Promise((done) => setTimeout(done, 5));
          running -= 1;
          return { text: rubricAnswer(request, () => 'yes'), finish: 'stop', usage: {}, from: 'live' };
        },
      };
      const turns = [1, 2, 3].map((number) => ({ user: `Hi ${number}`, answer: 'Hello' }));
      const judgeModelOptions = limit === undefined ? {} : { parallelism_limit: limit };
      await scoreCase(finalResponseQuality, {
        evalCase: evalCase('one', turns),
        inference: inference(turns),
        judge,
        options: { rubrics: [a], judgeModelOptions },
      });
      return peak;
    };
    expect(await most(1)).toBe(1);
    expect(await most(2)).toBe(2);
    expect(await most(undefined)).toBe(9);
  });

  it('repeats a sample once if its answer cannot be read', async () => {
    const judge = scriptedModel(['Let me think …', (request) => rubricAnswer(request, () => 'yes')]);
    expect(await judged([a], judge, { numSamples: 1 })).toMatchObject({ parts: [{ value: 1 }] });
    expect(judge.requests.map(({ sample }) => sample)).toEqual([0, 0]);
  });

  it('returns could-not-judge if ids are used twice', async () => {
    const judge = rubricJudge(() => 'yes');
    for (const [rubrics, ids] of [
      [[a, b, a], '"a"'],
      [[a, rubric('a '), b, b], '"a", "b"'],
    ] as const) {
      expect(await judged(rubrics, judge)).toMatchObject({
        value: null,
        missing: 'could-not-judge',
        reason: expect.stringContaining(ids),
      });
    }
    expect(judge.requests).toHaveLength(0);
  });

  it('returns could-not-judge for a rubric without id or text, and judges the others', async () => {
    const judge = rubricJudge(() => 'yes');
    const empty: Rubric = { rubricId: 'empty', rubricContent: { textProperty: null } };
    expect(parts(await judged([empty, a, rubric(' ')], judge))).toEqual([
      [null, 'empty'],
      [1, 'a'],
      [null, ' '],
    ]);
    expect(judge.requests.map(namesOf)).toEqual([['a'], ['a'], ['a']]);
    expect(parts(await judged([empty], judge))).toEqual([[null, 'empty']]);
    expect(judge.requests).toHaveLength(3);
  });

  it('handles ids that are names of built-in object properties', async () => {
    const rubrics = ['__proto__', 'constructor', 'toString'].map((id) => rubric(id));
    const judge = rubricJudge((id) => (id === 'constructor' ? 'no' : 'yes'));
    expect(parts(await judged(rubrics, judge))).toEqual([
      [1, '__proto__'],
      [0, 'constructor'],
      [1, 'toString'],
    ]);
  });
});

describe('could-not-judge', () => {
  const said = fc.constantFrom('yes', 'no', 'not_applicable');
  const table = fc.array(fc.array(said, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 3 });
  const silenced = fc.array(fc.tuple(fc.nat(2), fc.nat(4)), { minLength: 1, maxLength: 15 });

  /** Returns the verdict with a judge that answers per rubric and sample, and omits some answers. */
  async function verdict(
    samples: readonly (readonly string[])[],
    silent: readonly (readonly [number, number])[],
    threshold: number,
    compat: 'adk' | null,
  ): Promise<string> {
    const ids = samples.map((_, index) => String(index));
    const judge = rubricJudge((id, sample) =>
      silent.some(([row, column]) => String(row) === id && column === sample)
        ? null
        : (samples[Number(id)]?.[sample] ?? null),
    );
    const { result } = await scoreCase(finalResponseQuality, {
      evalCase: evalCase('one', [{ user: 'Hi' }]),
      inference: inference([{ user: 'Hi', answer: 'Hello' }]),
      judge,
      options: { rubrics: ids.map((id) => rubric(id)) },
      threshold,
      compat,
    });
    return result.verdict;
  }

  it('never turns a verdict into passed, in either mode', async () => {
    const threshold = fc.constantFrom(0, 1 / 3, 0.5, 2 / 3, 1);
    await fc.assert(
      fc.asyncProperty(
        table,
        silenced,
        threshold,
        fc.constantFrom('adk', null),
        async (samples, silent, least, compat) => {
          const before = await verdict(samples, [], least, compat);
          const after = await verdict(samples, silent, least, compat);
          if (before !== 'passed') expect(after).not.toBe('passed');
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
