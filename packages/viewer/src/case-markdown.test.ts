import { expect, it } from 'vitest';
import { caseMarkdown } from './case-markdown.ts';

const content = (text: string, role: string) => ({ role, parts: [{ text }] });

const one = {
  setId: 'home',
  evalCase: {
    evalId: 'a',
    conversation: [{ userContent: content('Hi', 'user'), finalResponse: content('Hello', 'model') }],
  },
  inferences: [
    {
      inference: {
        invocations: [{ userContent: content('Hi', 'user'), finalResponse: content('```\n<b>No</b>', 'model') }],
      },
    },
  ],
  result: {
    caseId: 'a_b',
    verdict: 'failed',
    reason: 'response_match: 0.1 is below | the threshold',
    criteria: [{ name: 'response_match', verdict: 'failed', score: 0.12345, threshold: 0.8, turns: [] }],
  },
};

it('caseMarkdown() formats a case and escapes its texts', () => {
  expect(caseMarkdown(one as never, { id: 'home', name: 'My <home>' })).toBe(
    [
      '### My \\<home\\> / a\\_b: failed',
      'response\\_match: 0.1 is below \\| the threshold',
      '| criterion | score | threshold | verdict |\n| --- | --- | --- | --- |\n| response\\_match | 0.123 | 0.8 | failed |',
      'Asked in turn 1',
      '```text\nHi\n```',
      'Expected',
      '```text\nHello\n```',
      'Answered',
      '````text\n```\n<b>No</b>\n````',
    ].join('\n\n'),
  );
});
