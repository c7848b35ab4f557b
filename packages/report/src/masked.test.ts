import { inference } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { criterion, runOf, textOf } from './__fixtures__/runs.ts';
import { consoleReport } from './console.ts';
import { jsonReport } from './json.ts';
import { markdownReport } from './markdown.ts';

const runSaying = (answer: string) =>
  runOf([
    {
      id: 'set',
      criteria: [criterion('kind')],
      cases: [
        {
          evalCase: { evalId: 'told' },
          repeats: [{ inference: inference([{ user: 'Hi', answer }]), scores: { kind: [{ value: 1 }] } }],
        },
      ],
    },
  ]);
const masked = runSaying('[masked: SHOP_API_KEY] and Bearer [masked: bearer token], [masked: bearer token]');
const what = '3 secrets were masked before anything was saved or judged: bearer token (2), SHOP_API_KEY; in the case';

describe('masked secrets in reports', () => {
  it('are counted on the console and at the top of Markdown, along with the affected case', async () => {
    expect(await textOf(consoleReport(masked))).toContain(`1 passed of 1 case\n${what} "told".\n`);
    expect(await textOf(markdownReport(masked))).toContain(`> [!NOTE]\n> ${what} \`told\`.\n`);
  });

  it('are counted in JSON, by case, by set and for the run', async () => {
    const { masked: ofRun, sets } = JSON.parse(await textOf(jsonReport(masked)));
    const counts = { SHOP_API_KEY: 1, 'bearer token': 2 };
    expect([ofRun, sets[0].masked, sets[0].cases[0].masked]).toEqual([counts, counts, counts]);
  });

  it('are not mentioned if there are none', async () => {
    const run = runSaying('Hello');
    const texts = await Promise.all([consoleReport, markdownReport, jsonReport].map((report) => textOf(report(run))));
    expect(texts.join('')).not.toContain('masked');
  });
});
