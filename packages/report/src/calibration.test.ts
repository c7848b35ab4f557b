import { calibrate, type Judgement } from '@agent-criteria/analysis';
import { expect, it } from 'vitest';
import { markdownCalibration } from './calibration.ts';

const about = (index: number) => ({
  setId: 'home',
  caseId: `case ${index}`,
  repeat: 0,
  turn: 0,
  criterion: 'pol|te',
  rubric: null,
});
const judgements: readonly Judgement[] = Array.from({ length: 24 }, (_, index) => ({
  ...about(index),
  group: null,
  passed: index % 3 > 0,
  reason: 'it says [please](https://example.com)',
}));
const labels = judgements.map((_, index) => ({
  ...about(index),
  label: index % 3 > 0 && index > 1 ? ('pass' as const) : ('fail' as const),
  reason: index === 1 ? '<b>rude</b>' : null,
  by: 'ada@example.com',
  at: 1,
}));

it('markdownCalibration() includes the numbers, the table and the differences, and escapes untrusted text', () => {
  const text = markdownCalibration(calibrate({ judgements, instruments: [] }, labels), 'run-1');
  expect(text).toContain('## Agreement with people in `run-1`, labelled by `ada@example.com`\n');
  expect(text).toContain('**<code>pol&#124;te</code>: judge and people agree on 96%');
  expect(text).toContain('- Pass rate by people, of these 24 cases: exactly 63%, as all are labelled\n');
  expect(text).toContain('| judge: pass | 15 | 1 |\n| judge: fail | 0 | 8 |\n');
  expect(text).toContain("| Cohen's kappa | 0.909 | ");
  expect(text).toContain('- Pass rate by the judge: 67% (');
  expect(text).toContain(
    '| <code>home&#58;case 1, turn 1</code> | pass: <code>it says &#91;please&#93;(https&#58;//example.com)</code> | <code>ada&#64;example.com</code> fail: <code>&#60;b&#62;rude&#60;/b&#62;</code> |',
  );
  expect(text).not.toMatch(/undefined|\[object/);
});
