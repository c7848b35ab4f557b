import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { evaluate } from '@agent-criteria/project';
import { loadProjectConfig } from '@agent-criteria/project/config';
import { expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const evaluated = loadProjectConfig(here('agent-criteria.config.ts')).then((project) =>
  // No environment: nobody has a key.
  evaluate({ agent: here('agent.ts'), evalSet: here('museum.evalset.json'), project, environment: {} }),
);

it('comes to the same end from the recording, without a key', async () => {
  const { cases, finished, problems, warnings, exitCode } = await evaluated;
  expect({ finished, problems, warnings, exitCode }).toEqual({
    finished: true,
    problems: [],
    warnings: [],
    exitCode: 1,
  });
  const others = cases.filter(({ verdict }) => verdict !== 'passed').map(({ caseId, verdict }) => [caseId, verdict]);
  expect(others).toEqual([
    ['where_to_eat', 'failed'],
    ['wheelchair', 'not-evaluated'],
  ]);
  expect(cases).toHaveLength(10);
});

it('asks nobody: every answer comes from the recording', async () => {
  const { calls } = await evaluated;
  expect(new Set(calls.map(({ from }) => from))).toEqual(new Set(['recording']));
  expect(new Set(calls.map(({ caller }) => caller)).size).toBe(5);
});

it('names the sentence that nobody told the agent', async () => {
  const { cases } = await evaluated;
  const result = cases.find(({ caseId }) => caseId === 'where_to_eat');
  const found = result?.criteria.find(({ name }) => name === 'hallucinations_v1')?.turns[0]?.score;
  expect(found && 'parts' in found ? found.parts.map(({ text }) => text) : []).toHaveLength(2);
  expect(found).toMatchObject({ parts: [{ value: 1 }, { value: 0, text: 'The café closes at 17:30.' }] });
});

it('does not take an answer for the expected one that knows of what the reference denies', async () => {
  const { cases } = await evaluated;
  const result = cases.find(({ caseId }) => caseId === 'where_to_eat');
  const found = result?.criteria.find(({ name }) => name === 'final_response_match_v2');
  expect(found).toMatchObject({ score: 0, verdict: 'failed' });
  expect(JSON.stringify(found)).toContain('mentions a café');
});

it('gives no score where the judge was cut off', async () => {
  const { cases } = await evaluated;
  const result = cases.find(({ caseId }) => caseId === 'wheelchair');
  expect(result?.criteria[0]).toMatchObject({ name: 'final_response_match_v2', score: null, verdict: 'not-evaluated' });
  expect(result?.criteria[0]?.reason).toContain('cut off');
});

it('asks for as many samples as can still matter', async () => {
  const { calls } = await evaluated;
  const asked = (caseId: string) =>
    calls.filter(
      ({ key, caller, turn }) => key.caseId === caseId && caller === 'final_response_match_v2' && turn === 0,
    );
  expect(asked('student_ticket')).toHaveLength(3);
  expect(asked('find_and_book')).toHaveLength(4);
});

it('says that a script judged, where people look', () => {
  const [head = ''] = readFileSync(here('judge.recording.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(head)).toMatchObject({ label: 'what a scripted judge said, not a model' });
});
