import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contentText } from '@agent-criteria/core';
import { evaluate } from '@agent-criteria/project';
import { loadProjectConfig } from '@agent-criteria/project/config';
import { expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const evaluated = loadProjectConfig(here('agent-criteria.config.ts')).then((project) =>
  evaluate({ agent: here('agent.ts'), evalSet: here('tickets.evalset.jsonl'), project, environment: {} }),
);
const labels = readFileSync(here('labels.csv'), 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => line.split(','));

/** The rule of the README. */
function passes(answer: string, price: number, day: string): boolean {
  const words = [
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
  ];
  const named = [...answer.matchAll(/(\w+) euro/g)].map(([, said = '']) =>
    /\d/.test(said) ? Number(said) : 3 + words.indexOf(said),
  );
  const days = answer.match(/Saturday|Sunday/g) ?? [];
  return named.length > 0 && named.every((one) => one === price) && days.every((one) => one === day);
}

it('120 answers have the label that the rule gives them', async () => {
  const { cases, inferences } = await evaluated;
  expect(cases).toHaveLength(160);
  expect(new Set(labels.map(([, id]) => id)).size).toBe(120);
  const answers = new Map(inferences.map(({ key, inference }) => [key.caseId, inference.invocations[0]]));
  const set = readFileSync(here('tickets.evalset.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const expected = new Map(set.map(({ eval_id, conversation }) => [eval_id, conversation[0].answer as string]));
  const wrong = labels.filter(([, id = '', , , label]) => {
    const [, price = '', day = ''] = /^(\d+) euro .* on (\w+)\.$/.exec(expected.get(id) ?? '') ?? [];
    return (label === 'pass') !== passes(contentText(answers.get(id)?.finalResponse), Number(price), day);
  });
  expect(wrong).toEqual([]);
});

it('the judge differs from 19 of them', async () => {
  const { cases } = await evaluated;
  const verdicts = new Map(cases.map(({ caseId, verdict }) => [caseId, verdict === 'passed' ? 'pass' : 'fail']));
  expect(labels.filter(([, id = '', , , label]) => verdicts.get(id) !== label)).toHaveLength(19);
});
