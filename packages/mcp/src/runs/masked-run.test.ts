import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentText, defineCriterion, noOptions } from '@agent-criteria/core';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { secretMask } from '@agent-criteria/masking';
import { consoleFailures } from '@agent-criteria/report/console';
import { defineEvalConfig, evaluate, openRun } from '@agent-criteria/runner';
import { expect, onTestFinished, test } from 'vitest';
import { maskedRun } from './masked-run.ts';

const sameAnswer = defineCriterion({
  name: 'same_answer',
  origin: { package: 'masked-run-test', version: '1.0.0' },
  description: 'Whether the answer is the expected one.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: contentText(actual.finalResponse) === contentText(expected?.finalResponse) ? 1 : 0,
  }),
});

test('a secret of several words is masked before words are compared', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masked-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const secret = 'velvet harbour seventeen';
  await evaluate({
    agent: () => `The password is ${secret}.`,
    evalSet: {
      evalSetId: 'home',
      evalCases: [evalCase('a', [turn('Hello', { answer: 'The password is velvet harbour sixteen.' })])],
    },
    config: defineEvalConfig({ plugins: [sameAnswer], criteria: { same_answer: 1 } }),
    folder: join(folder, 'run'),
  });
  const environment = { SHOP_PASSWORD: secret };
  let text = '';
  const run = maskedRun(openRun(join(folder, 'run')), secretMask({ environment, open: [] }));
  for await (const piece of consoleFailures(run, { width: Number.POSITIVE_INFINITY })) text += piece;
  expect(text).toContain('[masked: SHOP_PASSWORD]');
  expect(text).not.toContain('seventeen');
});
