import { expect, it } from 'vitest';
import { shortNames } from './short-names.ts';

it('shortNames() shortens criterion names unless that would make two of them equal', () => {
  const names = [
    'rubric_based_tool_use_quality_v1',
    'tool_trajectory_avg_score',
    'hallucinations_v1',
    'rubric_based_final_answer_quality_v1',
    'final_answer_v1',
    'final_response_match_v1',
    'final_response_match_v2',
    '_score',
    '__proto__',
  ];
  expect([...shortNames(names).values()]).toEqual([
    'tool use',
    'tool trajectory',
    'hallucinations',
    'final answer quality',
    'final answer',
    'final_response_match_v1',
    'final_response_match_v2',
    '_score',
    'proto',
  ]);
});
