import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The comparison of studio was NOT tested in a browser.`);
}

const HOSTILE = '<img src=x onerror=alert(1)>';
const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const CASES = Array.from({ length: 30 }, (_, index) => ({
  eval_id: `c${index}`,
  conversation: [turn(`case ${index}`)],
}));
/** Cases that only one of the runs has, or whose question differs. */
const ALONE = {
  before: [
    { eval_id: 'old', conversation: [turn('case 98')] },
    { eval_id: 'asked', conversation: [turn('case 1')] },
  ],
  now: [
    { eval_id: `new ${HOSTILE}`, conversation: [turn('case 99')] },
    { eval_id: 'asked', conversation: [turn('case 2')] },
  ],
};
/** Creates an agent that answers this number of cases correctly. */
const agent = (right: number) =>
  `export const rootAgent = (text) => (Number(text.split(' ')[1]) < ${right} ? text : 'No idea ${HOSTILE}');`;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])("studio's comparison of two runs $name", ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-compare-'));
  const pictures = process.env.RUN_VIEW_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;
  const runs: string[] = [];

  beforeAll(async () => {
    for (const [app, right] of [
      ['before', 28],
      ['now', 12],
    ] as const) {
      mkdirSync(join(folder, app));
      writeFileSync(join(folder, app, 'agent.mjs'), agent(right));
      writeFileSync(
        join(folder, app, 'home.evalset.json'),
        JSON.stringify({ eval_set_id: 'home', eval_cases: [...CASES, ...ALONE[app]] }),
      );
      writeFileSync(join(folder, app, 'test_config.json'), JSON.stringify({ criteria: { response_match_score: 1 } }));
    }
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const headers = { authorization: `Bearer ${studio.token}` };
    for (const app of ['before', 'now', 'now']) {
      const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: JSON.stringify({ app }) });
      const { id } = (await made.json()) as { readonly id: string };
      await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
      runs.push(id);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the changes, and the cases behind them with both answers', async () => {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(studio.url)) problems.push(`request: ${request.url()}`);
    });
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    const [before = '', now = ''] = runs;
    await page.goto(`${studio.url}/#/compare/${before}/${now}`);
    const statement = page.locator('.comparison > .banner');
    await statement.waitFor();
    expect(await statement.innerText()).toMatch(/^The pass rate fell by 53 points .*: a regression\.$/);
    // Flipped cases come first; those that cannot be compared come last, each with its reason.
    const rows = page.locator('.compared-row');
    expect(await rows.count()).toBe(19);
    const first = rows.first();
    expect(await rows.last().innerText()).toMatch(/^new <img [\s\S]*\nNot compared: only the new run has it/);
    expect(await page.locator('.compared-row.unpaired').allInnerTexts()).toEqual([
      expect.stringMatching(/^asked[\s\S]*\nNot compared: it gives the agent different input now/),
      expect.stringMatching(/^old[\s\S]*\nNot compared: only the base run has it/),
      expect.stringMatching(/^new/),
    ]);
    expect(await first.locator('blockquote').allInnerTexts()).toEqual(['case 12', `No idea ${HOSTILE}`]);
    const rate = page.getByRole('row', { name: /^pass rate/ });
    expect(await rate.locator('td').allInnerTexts()).toEqual(
      expect.arrayContaining(['93%', '40%', '−53', 'Regression']),
    );
    await drawn(page);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `compare-${width}.png`), fullPage: false });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);

    // Showing every case is kept in the address, too.
    const differences = page.getByLabel('Only differences');
    expect(await differences.isChecked()).toBe(true);
    await differences.uncheck();
    await expect.poll(() => rows.count()).toBe(33);
    expect(page.url()).toContain('?cases=all');
    await page.reload();
    await expect.poll(() => rows.count()).toBe(33);
    await differences.check();
    await expect.poll(() => rows.count()).toBe(19);

    // The metric can be chosen, and the runs swapped.
    await page.getByRole('link', { name: 'Swap' }).click();
    await expect.poll(() => statement.innerText()).toMatch(/rose by 53 points .*: an improvement\.$/);
    await page.goBack();
    await expect.poll(() => statement.innerText()).toMatch(/: a regression\.$/);

    // Either side is one click away.
    await first.getByRole('link', { name: 'Open c12, now' }).click();
    await page.locator('h1', { hasText: 'c12' }).waitFor();
    expect(page.url()).toContain(`#/runs/${now}/case/home/c12`);
    await page.goBack();
    await statement.waitFor();

    // Both conversations are one click away, side by side, and one key leads to the next case.
    await first.getByRole('link', { name: /^c12.*both sides$/ }).click();
    const title = page.locator('#compared-title');
    await title.waitFor();
    expect(page.url()).toContain(`#/compare/${before}/${now}/case/home/c12`);
    await expect
      .poll(() => page.locator('.pair-side .side-text').allInnerTexts())
      .toEqual(['Before\ncase 12', `NowRaw\ntext of the answer of Now\n\nNo idea ${HOSTILE}`]);
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `compare-case-${width}.png`) });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('j');
    await expect.poll(() => title.innerText()).toMatch(/^c13/);
    await page.keyboard.press('k');
    await expect.poll(() => title.innerText()).toMatch(/^c12/);
    await page.keyboard.press('Escape');
    await statement.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect.poll(() => title.innerText()).toMatch(/^c13/);
    // Shows only one side if the other run does not have the case.
    await page.goto(`${studio.url}/#/compare/${before}/${now}/case/home/old`);
    await page.getByText('Not compared: only the base run has it.').waitFor();
    await page.getByText('This run does not have the case.').waitFor();
    expect(problems).toEqual([]);
  });

  it('compares with the run that was pinned as the baseline', async () => {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    const [, first = '', second = ''] = runs;
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/#/apps/now/runs`);
    const menuOf = (run: string) => page.locator('.run-row', { hasText: run }).locator('.menu > summary');
    await menuOf(first).press('Enter');
    await page.getByRole('button', { name: 'Pin as baseline' }).press('Enter');
    const band = page.getByRole('region', { name: 'Baseline' });
    await band.getByText('Failed').waitFor();
    expect(await band.innerText()).toContain(`baseline set ${first}`);
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `baseline-${width}.png`) });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);

    // The pin is kept, and every other run of the agent leads to the comparison with it.
    await page.reload();
    await menuOf(second).press('Enter');
    await page.getByRole('link', { name: 'Compare with the baseline' }).press('Enter');
    await page.locator('.comparison > .banner').waitFor();
    expect(page.url()).toContain(`#/compare/${first}/${second}`);
    await page.getByText('No difference in 32 cases.').waitFor();
    await page.goto(`${studio.url}/#/runs/${second}`);
    await page.getByRole('link', { name: 'Compare with the baseline' }).click();
    await page.locator('.comparison > .banner').waitFor();

    // A deleted run is reported as missing, and can be unpinned.
    await page.evaluate(() => localStorage.setItem('agent-criteria.pinned', '{"now":"20200101-000000-gone"}'));
    await page.goto(`${studio.url}/#/apps/now/runs`);
    await page.reload();
    await band.getByText('There is no run "20200101-000000-gone".').waitFor();
    await band.getByRole('button', { name: 'Unpin' }).click();
    await band.waitFor({ state: 'detached' });
    await menuOf(second).press('Enter');
    await page.getByRole('button', { name: 'Pin as baseline' }).waitFor();
    expect(await page.getByRole('link', { name: 'Compare with the baseline' }).count()).toBe(0);
  });
});
