import { type Instrument, judgedAgainOf, judgeNoise } from '@agent-criteria/analysis';
import type { ScorePart } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { criterion, runOf } from './__fixtures__/runs.ts';
import { consoleNoise, markdownNoise } from './noise.ts';

const instrument: Instrument = { criterion: 'qual|ty', options: '', origin: 'p 1', prompts: ['q/1'], judges: ['m'] };
const rubric = (id: string, value: number): ScorePart => ({ id, kind: 'rubric', value });

/**
 * Computes the noise of two cases that were judged three times. In the first, "kind" flips. Sentence ids differ from
 * one judging to the next.
 */
async function noise() {
  const turns = [{ user: 'Hello', answer: 'Hi' }];
  const judgings = [1, 0, 1].map((kind, index) => ({
    inference: inference(turns),
    scores: {
      [instrument.criterion]: [
        {
          value: (1 + kind) / 2,
          parts: [rubric('ki|nd', kind), rubric('short', 1), { id: `${index}`, kind: 'sentence' as const, value: 0 }],
        },
      ],
    },
  }));
  const [kindly] = judgings;
  const run = runOf(
    [
      {
        criteria: [criterion(instrument.criterion)],
        config: { criteria: { [instrument.criterion]: 0.6 } },
        cases: [
          { evalCase: evalCase('first', turns), repeats: judgings },
          { evalCase: evalCase('second', turns), repeats: [kindly!, kindly!, kindly!] },
        ],
      },
    ],
    { repeats: 3 },
  );
  return [judgeNoise(instrument, (await judgedAgainOf(run, 3)).get(instrument.criterion) ?? [])];
}

it('consoleNoise() names the verdicts that flip, and shows how often each rubric does', async () => {
  const text = consoleNoise(await noise(), 'run-1', { width: 120 });
  expect(text).toContain('qual|ty: 1 of 2 verdicts was not the same each time, 50% (');
  expect(text).toContain('rubric ki|nd: 1 of 2 verdicts was not the same each time, 50% (');
  expect(text).toContain('rubric short: 2 of 2 verdicts were the same each time; at most 78% are likely to change');
  expect(text).toMatch(
    /Two judgings of the same answers give means that differ by less than 0\.\d+ in 95 of 100 cases\./,
  );
  expect(text).not.toContain('rubric 0');
  expect(text).toContain('rooms:first: passed 2 of 3 times');
});

it('markdownNoise() has the same content, with every name escaped', async () => {
  const text = markdownNoise(await noise(), 'run-1');
  expect(text).toContain(
    '## Noise of the judges of `run-1`, the same answers judged 3 times\n\n**<code>qual&#124;ty</code>: 1 of 2',
  );
  expect(text).toMatch(
    /\n\| rubric \| verdicts \| .*\n\| --- \| --- \| --- \| --- \|\n\| <code>ki&#124;nd<\/code> \| 2 \| 50% /,
  );
  expect(text).toContain('| <code>rooms&#58;first</code> | 2 of 3 times |\n');
});
