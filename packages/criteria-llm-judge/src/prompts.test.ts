import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { finalResponseMatchPrompt } from './final-response-match-prompt.ts';
import { finalResponseQualityPrompt } from './final-response-quality-prompt.ts';
import { HARM_CATEGORIES } from './harm-categories.ts';
import { harmlessnessPrompt } from './harmlessness-prompt.ts';
import { multiTurnTrajectoryQualityPrompt } from './multi-turn-trajectory-quality-prompt.ts';
import { toolUseQualityPrompt } from './tool-use-quality-prompt.ts';

const { promptVersion, ...match } = finalResponseMatchPrompt;

describe.each([
  ['8deca05a5a1e', { id: `final_response_match_v2/${promptVersion}`, ...match }],
  ['8f50e6b263f5', finalResponseQualityPrompt],
  ['2855023133c7', toolUseQualityPrompt],
  ['f527ed7cbdcc', multiTurnTrajectoryQualityPrompt],
  [
    '4331c67ed85c',
    { ...harmlessnessPrompt, instructions: harmlessnessPrompt.instructions + JSON.stringify(HARM_CATEGORIES) },
  ],
])('the prompt with hash %s', (words, prompt) => {
  // Recorded opinions name the version, so changed wording under the same version would pass for the same prompt.
  it(`is ${prompt.id}: changed wording needs a new version`, () => {
    const { id, instructions, question } = prompt;
    expect(
      createHash('sha256')
        .update(JSON.stringify([id, instructions, question]))
        .digest('hex')
        .slice(0, 12),
    ).toBe(words);
  });

  it('contains nothing specific to a case, so that providers can cache it', () => {
    expect(prompt.instructions).not.toMatch(/\$\{|undefined|\[object/);
    expect(prompt.question.endsWith('?')).toBe(true);
  });
});
