import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
const pictures = process.env.RUN_VIEW_PICTURES;

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const CASES = Array.from({ length: 400 }, (_, index) => ({
  eval_id: `switch_off_lamp_${index}`,
  conversation: [turn(`case ${index}: switch off the lamp in room ${index}, please`)],
}));
/** Answers cases below a number as expected. */
const agent = (right: number) =>
  `export const rootAgent = (text) => (Number(/\\d+/.exec(text)[0]) < ${right} ? text : 'No idea <img src=x onerror=alert(1)> of what was asked, so nothing is switched off.');`;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('the matrix of cases $name', ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-matrix-'));
  let browser: Browser;
  let studio: RunningStudio;
  const runs: string[] = [];

  beforeAll(async () => {
    for (const [app, right] of [
      ['old', 380],
      ['new', 10],
    ] as const) {
      mkdirSync(join(folder, app));
      writeFileSync(join(folder, app, 'agent.mjs'), agent(right));
    }
    writeFileSync(join(folder, 'old', 'home.evalset.json'), JSON.stringify({ eval_set_id: 'home', eval_cases: CASES }));
    writeFileSync(join(folder, 'old', 'test_config.json'), JSON.stringify({ criteria: { response_match_score: 1 } }));
    studio = await startStudio({
      folder,
      port: 0,
      agentProcesses: false,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const headers = { authorization: `Bearer ${studio.token}` };
    const variants = [
      { name: 'old', app: 'old' },
      { name: 'new', app: 'new' },
    ];
    for (const body of [{}, { agent: 'new' }, { variants }]) {
      const asked = JSON.stringify({ app: 'old', ...body });
      const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: asked });
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

  async function opened() {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    return { page, problems };
  }

  async function looksGood(page: Page, name: string) {
    await drawn(page);
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, `matrix-${name}-${width}-${colorScheme}.png`) });
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  }

  it('has verdicts of the newest runs, of which only the rows in view are drawn, and keys lead from cell to cell', async () => {
    const { page, problems } = await opened();
    await page.goto(`${studio.url}/#/runs/${runs[0]}/`);
    await page.getByRole('link', { name: 'Cases by runs' }).click();
    const grid = page.getByRole('grid', { name: 'Verdicts by case' });
    await page.getByText('400 cases, 4 columns').waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('401');
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    await looksGood(page, 'verdicts');
    await grid.locator('a.cell').first().focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'Control+End']) await page.keyboard.press(key);
    const focused = page.locator('.cell:focus');
    expect(await focused.innerText()).toContain('switch_off_lamp_399');
    // Neither the head nor the first column covers the cell.
    const [cell, head] = [await focused.boundingBox(), await grid.locator('.matrix-head').boundingBox()];
    expect(cell!.y).toBeGreaterThanOrEqual(head!.y + head!.height - 1);
    expect(cell!.x + cell!.width).toBeLessThanOrEqual(width);
    expect((await grid.getByRole('columnheader').first().boundingBox())!.x).toBeLessThan(width / 2);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'switch_off_lamp_399' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('has the answers of the variants of a run, and shows only rows that differ or whose scores are in a range', async () => {
    const { page, problems } = await opened();
    await page.goto(`${studio.url}/#/runs/${runs[2]}/`);
    await page.getByRole('link', { name: 'Answers by variant' }).click();
    const grid = page.getByRole('grid', { name: 'Answers by case' });
    await page.getByText('400 cases, 2 columns').waitFor();
    await page.getByLabel('Only rows that differ').check();
    await page.getByText('370 cases of 400, 2 columns').waitFor();
    const first = grid.getByRole('row').nth(1);
    expect(await first.innerText()).toMatch(/switch_off_lamp_10\b[\s\S]*case 10[\s\S]*No idea <img src=x/);
    await looksGood(page, 'answers');
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('response_match_score');
    await page.getByLabel('from', { exact: true }).fill('0.5');
    await page.getByLabel('Find cases').fill('lamp_39');
    await page.getByText('1 case of 400, 2 columns').waitFor();
    // The address has the filter.
    await page.reload();
    await page.getByText('1 case of 400, 2 columns').waitFor();
    await grid.locator('a.cell').last().click();
    await page.getByRole('heading', { name: 'switch_off_lamp_39' }).waitFor();
    expect(page.url()).toContain('variant=new');
    expect(problems).toEqual([]);
  });

  it('is reached from chosen runs and from a comparison', async () => {
    const { page, problems } = await opened();
    await page.goto(`${studio.url}/#/runs`);
    for (const run of runs) await page.getByLabel(`Choose the run ${run}`).check();
    await page.getByRole('link', { name: 'Cases side by side' }).click();
    await page.getByText('400 cases, 4 columns').waitFor();
    await page.goto(`${studio.url}/#/compare/${runs[0]}/${runs[1]}`);
    await page.getByRole('link', { name: 'Answers side by side' }).click();
    await page.getByText('400 cases, 2 columns').waitFor();
    expect(problems).toEqual([]);
  });
});
