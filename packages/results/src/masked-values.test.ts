import type { CaseResult } from '@agent-criteria/core/host';
import { inference } from '@agent-criteria/core/testing';
import { secretMask } from '@agent-criteria/masking';
import { expect, it } from 'vitest';
import { addMasked, addMaskedCases, maskedIn } from './masked-values.ts';
import { maskedNote } from './text/masked-note.ts';

const result: CaseResult = { setId: 's', caseId: 'c', verdict: 'passed', criteria: [], units: [] };
const key = { setId: 's', caseId: 'c', repeat: 0 };
const mask = secretMask({ environment: { SHOP_API_KEY: 'correct-horse' } });
const said = (answer: string) => ({ key, inference: mask.json(inference([{ user: 'x', answer }])) });

it('maskedIn counts masked values in inferences, and those that only appear in scores', () => {
  const error = { code: 'AGENT_FAILED', message: 'no correct-horse', stack: 'Error: no correct-horse' } as const;
  const broken = { key, inference: mask.json(inference([], { ending: { by: 'error', of: 'agent', error } })) };
  const one = {
    inferences: [said('correct-horse, "correct-horse" and Bearer abc12345'), broken],
    result: mask.json({ ...result, reason: 'correct-horse at x://a:b@c, x://a:b@c' }),
  };
  expect(maskedIn(one)).toEqual({ SHOP_API_KEY: 3, 'bearer token': 1, password: 1 });
  const other = { inferences: [said('nothing'), said('Bearer abc12345')], result };
  expect(addMasked(maskedIn(one), maskedIn(other))).toEqual({ SHOP_API_KEY: 3, 'bearer token': 2, password: 1 });
});

it('maskedNote describes masked values on one line', () => {
  expect(maskedNote({})).toBeNull();
  expect(maskedNote({ password: 1 })).toBe('1 secret was masked before anything was saved or judged: password.');
  expect(maskedNote(addMasked({ password: 1, A_KEY: 2 }, { A_KEY: 1, B_KEY: 1 }))).toBe(
    '5 secrets were masked before anything was saved or judged: A_KEY (3), B_KEY, password.',
  );
  const many = Object.fromEntries('ABCDEFG'.split('').map((letter) => [letter, 1]));
  expect(maskedNote(many)).toBe('7 secrets were masked before anything was saved or judged: A, B, C, D, E, 2 more.');
});

it('maskedNote names only the first few cases', () => {
  const note = (cases: readonly string[]) => maskedNote({ password: 1 }, cases, (id) => `<${id}>`);
  expect(note(['a'])).toMatch(/: password; in the case <a>\.$/);
  expect(note(addMaskedCases(['a', 'b'], ['b', 'c']))).toMatch(/: password; in the cases <a>, <b>, <c>\.$/);
  const all = 'abcdefg'.split('').reduce((cases: readonly string[], id) => addMaskedCases(cases, [id]), []);
  expect(all.length).toBeLessThan(7);
  expect(note(all)).toMatch(/: password; in the cases <a>, <b>, <c> and others\.$/);
});

it('maskedIn ignores misleading labels written by an agent', () => {
  expect(maskedIn({ inferences: [said('[masked: \u001b[2J] [masked: ] [masked: <b>]')], result })).toEqual({});
});
