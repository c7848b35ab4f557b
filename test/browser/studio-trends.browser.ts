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
  console.warn(`${words} The trends of studio were NOT tested in a browser.`);
}

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const cases = (many: number) =>
  Array.from({ length: many }, (_, index) => ({ eval_id: `c${index}`, conversation: [turn(`case ${index}`)] }));

/** The number of correct answers, the number of cases, and the threshold. */
const RUNS = [
  [24, 30, 1],
  [26, 30, 1],
  [27, 30, 1],
  [12, 30, 1],
  [25, 30, 1],
  [25, 30, 0.5],
  [27, 32, 0.5],
  [30, 32, 0.5],
] as const;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])("studio's trends of a set $name", ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-trends-'));
  const pictures = process.env.RUN_VIEW_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;
  const runs: string[] = [];

  beforeAll(async () => {
    mkdirSync(join(folder, 'echo'));
    const file = (name: string) => join(folder, 'echo', name);
    writeFileSync(
      file('agent.mjs'),
      `import { readFileSync } from 'node:fs';
      export const rootAgent = (text) =>
        Number(text.split(' ')[1]) < Number(readFileSync(new URL('right.txt', import.meta.url), 'utf8')) ? text : 'No idea';`,
    );
    const write = ([right, many, threshold]: (typeof RUNS)[number]) => {
      writeFileSync(file('right.txt'), String(right));
      writeFileSync(file('home.evalset.json'), JSON.stringify({ eval_set_id: 'home', eval_cases: cases(many) }));
      writeFileSync(file('test_config.json'), JSON.stringify({ criteria: { response_match_score: threshold } }));
    };
    write(RUNS[0]);
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
    for (const run of RUNS) {
      write(run);
      const made = await fetch(`${studio.url}/api/runs`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ app: 'echo' }),
      });
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

  it('draw each number with its interval, and connect only comparable ones', async () => {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/#/apps/echo/sets/home`);
    await page.getByRole('link', { name: 'Trends' }).press('Enter');
    const chart = page.getByRole('region', { name: 'response_match_score' });
    await chart.waitFor();
    expect(await page.locator('.trend').first().getAttribute('aria-label')).toBe('pass rate');
    const points = chart.getByRole('link');
    expect(await points.count()).toBe(RUNS.length);
    expect(await points.nth(0).getAttribute('aria-label')).toMatch(/: 0\.8 \(0\.6\d+ to 0\.9\d*\), 30 cases$/);

    // The line breaks, with a note, where the threshold changed, and is dashed where the cases changed.
    expect(await chart.locator('.break').count()).toBe(1);
    expect(await chart.locator('.join').count()).toBe(RUNS.length - 2);
    expect(await chart.locator('.join.noted').count()).toBe(1);
    expect(await chart.locator('.band').count()).toBe(2);
    const remarks = chart.locator('.trend-remarks');
    expect(await remarks.first().innerText()).toContain(`${runs[5]}: its threshold was 1 and is 0.5.`);
    await chart.getByText('Something else changed before 1 run').click();
    await chart.getByText(`${runs[6]}: 2 cases are new.`).waitFor();
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `trends-${width}.png`) });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);

    // A point can be inspected with the keyboard, and leads to its run.
    await points.nth(3).focus();
    await expect.poll(() => chart.locator('.trend-point').innerText()).toMatch(/: 0\.4 \(/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`#/runs/${runs[3]}`);
    expect(problems).toEqual([]);
  });
});
