import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { perTurnAnswerSchema, readPerTurnAnswer } from './per-turn-answer.ts';
import { scoreFirstMessage } from './per-turn-first-message.ts';
import { defaultCriteria, perTurnPrompt } from './per-turn-prompt.ts';

const passing = { name: 'Tone', reasoning: 'Fine.', passes: true };
const failing = { name: 'Plan', reasoning: 'It asks for a second lamp.', passes: false };

describe('readPerTurnAnswer()', () => {
  it('returns the verdict with the criteria that are not met', () => {
    expect(readPerTurnAnswer({ criteria: [passing, passing], is_valid: true })).toEqual({
      positive: true,
      label: 'valid',
      rationale: 'every criterion passes',
    });
    expect(
      readPerTurnAnswer({ criteria: [passing, failing, { name: 'End', passes: false }], is_valid: false }),
    ).toEqual({
      positive: false,
      label: 'invalid',
      rationale: 'Plan: It asks for a second lamp.',
      evidence: [{ kind: 'note', text: 'End' }],
    });
  });

  it('returns the verdict even if it contradicts the criteria, as in ADK, and notes the contradiction', () => {
    expect(readPerTurnAnswer({ criteria: [passing, failing], is_valid: true })).toMatchObject({
      positive: true,
      rationale: 'valid, although not every criterion passes: Plan: It asks for a second lamp.',
    });
    expect(readPerTurnAnswer({ criteria: [passing], is_valid: false })).toMatchObject({
      positive: false,
      rationale: 'not valid, although every criterion passes',
    });
  });

  it.each([[undefined], [null], ['no list'], [{}], [[]], [[null, 1, 'x', []]]])(
    'does not need criteria: %j',
    (criteria) => {
      expect(readPerTurnAnswer({ criteria, is_valid: false })).toEqual({ positive: false, label: 'invalid' });
    },
  );

  it.each([
    [[{ passes: false }], 'a criterion without a name'],
    [[{ name: 3, reasoning: null, passes: false }], 'a criterion without a name'],
    [[{ name: ' ', reasoning: ' So. ', passes: false }], 'a criterion without a name: So.'],
    [[{ name: 'A', reasoning: 'So.', passes: 'false' }], 'not valid, although every criterion passes'],
  ])('accepts incomplete criteria: %j', (criteria, rationale) => {
    expect(readPerTurnAnswer({ criteria, is_valid: false })).toMatchObject({ positive: false, rationale });
  });

  it.each([
    [true, true],
    [[true], true],
    [' Valid ', true],
    [false, false],
    ['PARTIALLY_VALID', false],
    [['almost'], false],
  ])('reads a verdict from %j', (said, positive) => {
    expect(readPerTurnAnswer({ is_valid: said })?.positive).toBe(positive);
  });

  it('returns undefined for any other value', () => {
    const labels = ['true', 'valid', 'false', 'invalid', 'almost', 'partially', 'partially_valid', 'partially valid'];
    fc.assert(
      fc.property(fc.anything(), (said) => {
        const opinion = readPerTurnAnswer({ criteria: [], is_valid: said });
        const only = Array.isArray(said) && said.length === 1 ? said[0] : said;
        const isLabel =
          ['string', 'boolean'].includes(typeof only) && labels.includes(String(only).trim().toLowerCase());
        expect(opinion !== undefined).toBe(isLabel);
      }),
    );
    fc.assert(fc.property(fc.anything(), (value) => void readPerTurnAnswer(value)));
  });

  it('ignores inherited properties', () => {
    expect(readPerTurnAnswer(Object.create({ is_valid: true }))).toBe(undefined);
    expect(readPerTurnAnswer([{ is_valid: true }])).toBe(undefined);
  });
});

describe('the per-turn prompt', () => {
  it('is unchanged, or else needs a new version', () => {
    const { id, instructions, question } = perTurnPrompt;
    const words = JSON.stringify([id, instructions, question, defaultCriteria, perTurnAnswerSchema]);
    expect(createHash('sha256').update(words).digest('hex').slice(0, 12)).toBe('1c7d0a4166a8');
  });

  it('does not depend on the case, so that providers can cache it', () => {
    expect(perTurnPrompt.instructions).not.toMatch(/\$\{|undefined|\[object/);
    expect(perTurnPrompt.question.endsWith('?')).toBe(true);
  });

  it('has as many default criteria as ADK, each with violation rubrics', () => {
    expect(defaultCriteria).toHaveLength(7);
    expect(new Set(defaultCriteria.map(({ name }) => name)).size).toBe(7);
    for (const { violationRubrics } of defaultCriteria) expect(violationRubrics.length).toBeGreaterThan(1);
  });
});

describe('scoreFirstMessage()', () => {
  // White space at either end of a text, as Python defines it.
  const spaces = [
    ...['\t', '\n', '\v', '\f', '\r', '\u001c', '\u001d', '\u001e', '\u001f', ' ', '\u0085', '\u00a0', '\u1680'],
    ...['\u2000', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000'],
  ];
  const space = fc.array(fc.constantFrom(...spaces), { maxLength: 5 }).map((all) => all.join(''));
  const score = (text: string, prompt: string) => {
    const found = scoreFirstMessage({ parts: [{ text }] }, prompt);
    return 'value' in found ? found.value : undefined;
  };

  it('ignores white space around the starting prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), space, space, space, (text, before, after, other) => {
        expect(score(`${before}${text}${after}`, `${other}${text}`)).toBe(1);
      }),
    );
  });

  it('scores 0 for any other message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
        fc.pre(more.trim() !== '' && !spaces.some((one) => more.includes(one)));
        expect(score(`${text}x${more}`, `${text}x`)).toBe(0);
      }),
    );
    for (const more of ['\u200b', '\ufeff', '\u0000']) expect(score(`start${more}`, 'start')).toBe(0);
  });

  it('takes linear time', () => {
    const taken = cpuTime();
    const long = ' '.repeat(500_000);
    expect(score(`${long}a${long}b${long}`, `a${long}b`)).toBe(1);
    expect(taken()).toBeLessThan(10_000);
  });

  it('shows both texts if they differ', () => {
    expect(scoreFirstMessage({ parts: [{ text: 'Hello ' }] }, 'Hi')).toEqual({
      value: 0,
      reason: 'the first message is not the starting prompt',
      evidence: [{ kind: 'diff', expected: 'Hi', actual: 'Hello' }],
    });
  });

  it('scores 0 for an empty text, and returns could-not-judge for a message without parts', () => {
    const of = (message: object) => scoreFirstMessage(message, 'Hi');
    expect(of({ parts: [{ inlineData: { data: 'AA==', mimeType: 'audio/wav' } }] })).toMatchObject({ value: 0 });
    expect(of({ parts: [{ text: 'Hi', thought: true }] })).toMatchObject({ value: 0 });
    for (const message of [{ parts: [] }, { parts: null }, {}]) {
      expect(of(message)).toMatchObject({ value: null, missing: 'could-not-judge' });
    }
  });
});
