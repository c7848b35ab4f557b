import { describe, expect, it } from 'vitest';
import type { Opinion, Question } from './scripted-judge.ts';
import { outcome, partsOf, walk } from './walk.ts';

const SET = 'evals/languages.evalset.json';
const RUBRICS = { criteria: { rubric_based_final_response_quality_v1: 1 } };

describe('Traditional Chinese, Simplified Chinese, Japanese, Korean', () => {
  it('tool calls are compared as in any language', async () => {
    expect(outcome(await walk(SET, { criteria: { tool_trajectory_avg_score: 1 } }))).toEqual({
      traditional_chinese: '1 passed',
      simplified_chinese: '1 passed',
      japanese: '1 passed',
      korean: '1 passed',
    });
  });

  it('answers are compared character by character', async () => {
    const { cases } = await walk(SET, { criteria: { response_match_score: 0.8 } });
    const scores = cases.map(({ caseId, criteria: [first] }) => [caseId, first?.turns.map(({ value }) => value)]);
    // The second answers: words shared, words of the agent, words expected. A number counts as one word.
    const f = (shared: number, given: number, expected: number) =>
      (2 * (shared / given) * (shared / expected)) / (shared / given + shared / expected);
    expect(Object.fromEntries(scores)).toEqual({
      // 臥室現在 19 度 against 現在臥室是 19 度
      traditional_chinese: [1, f(6, 6, 7)],
      simplified_chinese: [1, f(6, 6, 7)],
      // 寝室は今19度です against 寝室の温度は19度です
      japanese: [1, f(7, 8, 10)],
      // 침실은 지금 19도입니다 against 지금 침실은 19도입니다
      korean: [1, 1],
    });
  });

  it('rubrics reach the judge as they were written', async () => {
    const asked: Question[] = [];
    const result = await walk(SET, RUBRICS, (question) => {
      asked.push(question);
      return true;
    });
    expect(result.exitCode).toBe(0);
    const texts = (caseId: string) => [
      ...new Set(asked.filter((one) => one.caseId === caseId).map(({ rubric }) => rubric)),
    ];
    expect(texts('traditional_chinese')).toEqual(['回答以繁體中文書寫。', '回答提到使用者所問的房間。']);
    expect(texts('simplified_chinese')).toEqual(['回答使用简体中文。', '回答提到用户所问的房间。']);
    expect(texts('japanese')).toEqual(['回答は日本語で書かれている。', '回答は「です・ます」調である。']);
    expect(texts('korean')).toEqual(['답변이 한국어로 쓰여 있다.', '답변이 존댓말이다.']);
  });

  it('a rubric that is not met lowers its turn, and its case fails', async () => {
    // A judge that can tell Japanese script, and takes every answer without it for another language.
    const asksForLanguage = /繁體中文|简体中文|日本語|한국어/;
    const knowsKana: Opinion = ({ rubric, answer }) =>
      !asksForLanguage.test(rubric ?? '') || /\p{Script=Hiragana}/u.test(answer);
    const result = await walk(SET, RUBRICS, knowsKana);
    expect(outcome(result)).toEqual({
      traditional_chinese: '0.5 failed',
      simplified_chinese: '0.5 failed',
      japanese: '1 passed',
      korean: '0.5 failed',
    });
    expect(partsOf(result.cases[3]?.criteria[0]?.turns[1])).toEqual({ language: 0, polite: 1 });
  });
});
