import '@agent-criteria/criteria-rouge';
import '@agent-criteria/criteria-trajectory';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { intermediateTexts, toolResponses } from '@agent-criteria/core';
import type { EvalSetSource } from '@agent-criteria/core/eval-set';
import { evaluate } from '@agent-criteria/project';
import { expect, it } from 'vitest';
import { bundles } from '../../test/bundles.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const options = { agent: here('.'), evalSet: here('dice.evalset.json') };

it('passes every case, with every turn scored', async () => {
  const result = await evaluate(options);
  expect(result.cases.map((one) => [one.caseId, one.verdict, one.reason])).toEqual(
    result.cases.map((one) => [one.caseId, 'passed', undefined]),
  );
  expect(result).toMatchObject({ exitCode: 0, total: 9 });
  expect(
    new Set(result.cases.flatMap((one) => one.criteria.map(({ score, coverage }) => `${score} ${coverage}`))),
  ).toEqual(new Set(['1 1']));
});

it('says on the way what the eval set expects to be said there, by the same authors', async () => {
  const { plan, inferences } = await evaluate(options);
  const expected = plan.evalSet.evalCases.map(({ conversation }) => conversation?.map(intermediateTexts));
  expect(inferences.map(({ inference }) => inference.invocations.map(intermediateTexts))).toEqual(expected);
  const authors = inferences.flatMap(({ inference }) =>
    inference.invocations.flatMap((turn) => intermediateTexts(turn).map(({ author }) => author)),
  );
  expect(new Set(authors)).toEqual(new Set(['dice_agent', 'prime_agent']));
});

it('rolls the same in every repeat, each in a session of its own', async () => {
  const { inferences } = await evaluate({ ...options, repeats: 3, cases: ['remembers_all_rolls'] });
  const rolled = inferences.map(({ inference }) => inference.invocations.map(toolResponses));
  expect(rolled).toHaveLength(3);
  expect(rolled[1]).toEqual(rolled[0]);
  expect(rolled[2]).toEqual(rolled[0]);
  expect(new Set(inferences.map(({ inference }) => inference.sessionId)).size).toBe(3);
});

it('fails when another seed rolls something else, and shows both answers', async () => {
  const { value, ...rest } = await withSeed(8);
  const result = await evaluate({ agent: here('.'), evalSet: value, ...rest });
  expect(result.cases.map(({ verdict }) => verdict)).toEqual(['failed']);
  // The calls are the same: the trajectory alone would not have seen it.
  expect(result.cases[0]?.criteria.map(({ name, score }) => [name, score])).toEqual([
    ['tool_trajectory_avg_score', 1],
    ['response_match_score', 2 / 3],
  ]);
});

async function withSeed(seed: number): Promise<{ readonly value: EvalSetSource; readonly cases: string[] }> {
  const { default: evalSet } = await import('./dice.evalset.json', { with: { type: 'json' } });
  const value = structuredClone(evalSet) as unknown as { eval_cases: { session_input: { state: object } }[] };
  for (const evalCase of value.eval_cases) evalCase.session_input.state = { seed };
  return { value: value as never, cases: ['one_die'] };
}

it('shows in the detailed output of the command what the sub-agent said', async () => {
  const bin = here('../../packages/cli/src/bin.ts');
  const command = ['--conditions=@agent-criteria/source', '--no-warnings', ...(await bundles()), bin];
  const args = ['eval', options.agent, `${options.evalSet}:roll_then_check_it`, '--print_detailed_results'];
  // It rejects when the exit code is not 0.
  const { stdout: out } = await promisify(execFile)(process.execPath, [...command, ...args]);
  expect(out).toContain('check_prime({"nums":[13]})');
  expect(out).toContain('said        prime_agent: 13 is a prime number.');
});
