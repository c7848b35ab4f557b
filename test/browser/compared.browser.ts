import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { comparedCases, compareRuns, runOutcomes } from '@agent-criteria/analysis';
import type { RunCase, RunRecord } from '@agent-criteria/results';
import { htmlComparison } from '@agent-criteria/viewer';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, lead, openPage, sidewaysScroll, unfoldAll } from './opened-page.ts';
import { changeCases, HOSTILE, hostileRun, sampleRun } from './sample-run.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The page of two runs was NOT tested in a browser.`);
}

/** Makes every case that passed fail, with a different answer. */
const worse = (one: RunCase): RunCase => ({
  ...one,
  result: { ...one.result, verdict: one.result.verdict === 'passed' ? 'failed' : one.result.verdict },
  inferences: one.inferences.map((each) => ({
    ...each,
    inference: {
      ...each.inference,
      invocations: each.inference.invocations.map((turn) => ({
        ...turn,
        finalResponse: { role: 'model', parts: [{ text: 'I would rather not say.' }] },
      })),
    },
  })),
});

async function writePage(base: RunRecord, candidate: RunRecord, file: string): Promise<string> {
  const [[before], [after]] = [await runOutcomes(base), await runOutcomes(candidate)];
  if (before === undefined || after === undefined) throw new Error('Each run has outcomes.');
  const runs = { comparison: compareRuns(before, after), cases: comparedCases(before, after) };
  const names = { base: `monday ${HOSTILE}`, candidate: 'tuesday' };
  const page = htmlComparison(runs, { base, candidate }, { names, title: 'Tuesday compared with Monday' });
  await pipeline(Readable.from(page), createWriteStream(file));
  return pathToFileURL(file).href;
}

describe.skipIf(executablePath === undefined)('the page of two runs in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-compared-'));
  const pictures = process.env.RUN_VIEW_PICTURES;
  let browser: Browser;
  let address: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath as string });
    const sample = await sampleRun();
    address = await writePage(sample, changeCases(sample, worse), join(folder, 'compared.html'));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    { width: 1280, colorScheme: 'light' as const },
    { width: 390, colorScheme: 'dark' as const },
  ])('shows the changes and both sides of a case, offline, at $width px', async ({ width, colorScheme }) => {
    await using opened = await openPage(browser, address, { viewport: { width, height: 800 }, colorScheme });
    const { page, problems } = opened;
    const rows = page.locator('.compared-row');
    await rows.first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('Tuesday compared with Monday');
    const shown = await rows.count();
    expect(await page.locator('.compared-row.lost').count()).toBeGreaterThan(0);
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `compared-page-${width}.png`) });
    // The result of every number is visible without scrolling the table sideways.
    const table = page.locator('.number-table');
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const results = await table.locator('tbody td:last-child').all();
    expect(results.length).toBeGreaterThan(1);
    for (const result of results) {
      const box = await result.boundingBox();
      expect(box).toMatchObject({ x: expect.any(Number) });
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Only differences').uncheck();
    expect(await rows.count()).toBeGreaterThan(shown);
    expect(page.url()).toContain('#/?cases=all');
    await page.getByLabel('Only differences').check();

    // Uses only the keyboard: opens a case, goes to the next one, and goes back.
    await page.keyboard.press('Tab');
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const title = page.locator('#compared-title');
    await title.waitFor();
    const first = await title.innerText();
    await unfoldAll(page);
    await drawn(page);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `compared-page-case-${width}.png`), fullPage: true });
    expect(await page.locator('.pair-side').last().innerText()).toContain('I would rather not say.');
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('j');
    await expect.poll(() => title.innerText()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => title.innerText()).toBe(first);
    await page.keyboard.press('Escape');
    await rows.first().waitFor();
    expect(problems).toEqual([]);
  });

  it('runs no code, whatever the runs contain', async () => {
    const hostile = await hostileRun();
    const file = await writePage(hostile, changeCases(hostile, worse), join(folder, 'hostile.html'));
    await using opened = await openPage(browser, file);
    const { page, problems } = opened;
    const inert = async () => {
      await unfoldAll(page, '');
      const found = await page.evaluate(() => ({
        canary: 'canary' in window,
        polluted: 'polluted' in {},
        strangers: document.querySelectorAll('iframe, object, embed, link, base, form, [onerror], [onload]').length,
        scripts: document.querySelectorAll('script:not([type="application/json"])').length,
        links: [...document.querySelectorAll('a')].filter((link) => !link.getAttribute('href')?.startsWith('#')).length,
        images: [...document.querySelectorAll('img')].filter(({ src }) => !src.startsWith('data:image/png;base64,'))
          .length,
      }));
      expect(found).toEqual({ canary: false, polluted: false, strangers: 0, scripts: 1, links: 0, images: 0 });
      expect(await sidewaysScroll(page)).toBe(0);
    };
    await inert();
    const links = await page
      .locator('.compared-row h4 a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      await lead(page, link);
      await page.locator('#compared-title').waitFor();
      await inert();
    }
    expect(problems).toEqual([]);
  });
});
