import { type CriterionFacts, compareRuns, type RunOutcomes } from '@agent-criteria/analysis';
import { describe, expect, it } from 'vitest';
import { consoleComparison, markdownComparison } from './comparison.ts';

const HOSTILE = '<img src=x onerror=alert(1)> @everyone #1 [here](https://evil.example) \u001B[31m\u202E `x` | y';

const CONTROL = /[\p{Cc}\p{Cf}]/u;

function runOf(verdict: 'passed' | 'failed', text: string): RunOutcomes {
  const criterion: CriterionFacts = {
    name: text,
    range: { min: 0, max: 1, better: 'higher' },
    decides: true,
    byDefault: false,
    threshold: 1,
    options: '',
    judges: [],
    origin: text,
  };
  const score = verdict === 'passed' ? 1 : 0;
  return {
    id: text,
    agent: `${text} ${verdict}`,
    startedAt: 0,
    finished: true,
    compat: null,
    criteria: [criterion],
    cases: ['a', 'b'].map((id) => ({
      setId: text,
      caseId: `${id} ${text}`,
      group: null,
      verdict,
      asked: id,
      version: id,
      criteria: [{ name: text, verdict, score, coverage: 1, scores: [score] }],
      repeats: [{ repeat: 0, passed: verdict === 'passed', answer: text }],
    })),
  };
}

describe('comparing runs with hostile names and answers', () => {
  const comparison = compareRuns(runOf('passed', HOSTILE), runOf('failed', HOSTILE));
  const names = { base: HOSTILE, candidate: HOSTILE };

  it('markdownComparison() produces inert Markdown', () => {
    const outside = markdownComparison(comparison, names)
      .replace(/<code>[^<]*<\/code>/g, '')
      .replace(/`[^`\n]*`/g, '');
    expect(outside).toContain('the agents have different names');
    expect(outside).not.toMatch(/<\w|@everyone|(?<!&)#1|\]\(|https:\/\//);
    expect(outside.replaceAll('\n', '')).not.toMatch(CONTROL);
  });

  it('consoleComparison() prints no control characters', () => {
    const text = consoleComparison(comparison, names, { color: false, width: 100 });
    expect(text).toContain('@everyone');
    expect(text.replaceAll('\n', '')).not.toMatch(CONTROL);
  });
});
