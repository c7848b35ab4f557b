import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { createRegistry } from '@agent-criteria/core/host';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { openRun, run } from '@agent-criteria/runner';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, DESKTOP, lead, openPage, PHONE, sidewaysScroll, writeReport } from './opened-page.ts';

const executablePath = findChromium(process.env);

/** Creates an agent that echoes the message, and reports one model call with this number of tokens. */
const counting =
  (tokens: number): AgentFunction =>
  (text) => ({
    userContent: { parts: [{ text }] },
    finalResponse: { parts: [{ text: text === 'heating' && tokens > 10 ? 'No.' : text }] },
    intermediateData: {
      invocationEvents: [
        { author: 'agent', content: null, usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 1 } },
      ],
    },
  });

describe.skipIf(executablePath === undefined)('the page of a run with several agents', () => {
  it('has a column for each agent, and links them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-browser-'));
    const cases = ['lamp', 'heating', 'door'].map((id) => evalCase(id, [turn(id, { answer: id })]));
    await run({
      folder: join(folder, 'run'),
      sets: [
        {
          evalSet: { evalSetId: 'home', evalCases: cases },
          config: { criteria: { response_match_score: 1 } },
          registry: createRegistry([responseMatch]),
        },
      ],
      variants: { fast: counting(10), 'slow-2': counting(1000) },
    });
    await using browser = await chromium.launch({ executablePath: executablePath! });
    const address = await writeReport(openRun(join(folder, 'run')), join(folder, 'page.html'));
    for (const options of [DESKTOP, PHONE]) {
      await using opened = await openPage(browser, address, options);
      const { page } = opened;
      await lead(page, `${address}#/`);
      await page.waitForSelector('.rows');
      expect(await page.locator('.variant-outcomes li').allInnerTexts()).toEqual([
        'fast: 3 of 3 cases passed',
        'slow-2: 2 of 3 cases passed',
      ]);
      expect(await page.locator('.rows .row').count()).toBe(3);
      await page.getByText('About this run').click();
      expect((await page.locator('.about .facts').innerText()).replaceAll(/\s+/g, ' ')).toContain(
        'Agent’s model 6 calls, 3,030 tokens in, 6 out Agent’s model, fast 3 calls, 30 tokens in, 3 out Agent’s model, slow-2 3 calls, 3,000 tokens in, 3 out',
      );
      const first = page.locator('.rows .row').first();
      expect(await first.locator('.score a').allInnerTexts()).toEqual(['Passed', 'Failed']);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      // The row leads to the result that did not pass, and each column to its own.
      await first.locator('.case a').click();
      await page.waitForSelector('.why.failed');
      expect(page.url()).toContain('#/case/home/heating?variant=slow-2');
      expect(await page.locator('.walk').innerText()).toContain('1 of 3');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('link', { name: 'fast' }).click();
      await page.waitForSelector('.why.passed');
      expect(page.url()).toContain('variant=fast');
      expect(await page.locator('.tabs.variants [aria-current]').innerText()).toContain('fast');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.rows');
      expect(await page.locator('.rows [data-active] .case a').innerText()).toBe('heating');
    }
    rmSync(folder, { recursive: true, force: true });
  });
});
