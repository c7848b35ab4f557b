import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRuns } from '../runs.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} Runs in flight were NOT tested in a browser.`);
}

/** An agent that hangs, waits for a file, or fails on request. */
const AGENT = `
import { existsSync } from 'node:fs';
const gate = new URL('./gate', import.meta.url);
export const rootAgent = async (message) => {
  if (message === 'hang') await new Promise(() => setInterval(() => {}, 1000));
  while (message === 'wait' && !existsSync(gate)) await new Promise((done) => setTimeout(done, 20));
  if (message === 'fail') throw new Error('The quota is used up.');
  return message === 'wrong' ? 'Something else' : 'You said: ' + message;
};
`;

const evalCase = (id: string, text: string) => ({
  eval_id: id,
  conversation: [
    {
      user_content: { role: 'user', parts: [{ text }] },
      final_response: { role: 'model', parts: [{ text: `You said: ${text}` }] },
    },
  ],
});

const CASES = [
  evalCase('good', 'hello'),
  evalCase('bad', 'wrong'),
  evalCase('broken', 'fail'),
  evalCase('slow_one', 'wait'),
  evalCase('hang_please', 'hang'),
  ...Array.from({ length: 6 }, (_, index) => evalCase(`later_${index}`, 'wait')),
];

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('a run in flight $name', ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-live-'));
  const pictures = process.env.LIVE_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), AGENT);
    writeFileSync(
      join(folder, 'desk', 'home.evalset.json'),
      JSON.stringify({ eval_set_id: 'home', eval_cases: CASES }),
    );
    writeFileSync(
      join(folder, 'desk', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.9 } }),
    );
    writeFileSync(join(folder, 'desk', 'agent-criteria.config.json'), JSON.stringify({ concurrency: { agents: 2 } }));
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const context = await browser.newContext({ viewport: { width, height: width < 720 ? 2000 : 800 }, colorScheme });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    await page.goto(studio.link);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const picture = async (name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `live-${name}-${width}.png`) });
  };
  const api = async (path: string, body?: object) => {
    const response = await fetch(`${studio.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${studio.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { readonly id: string };
  };
  /** The word in each row, by case. */
  const rows = () =>
    page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll('.rows > .row')].map((row) => [
          row.querySelector('.case a')?.textContent,
          row.querySelector('.badge')?.textContent,
        ]),
      ),
    );
  const head = () => page.locator('header.run').innerText();

  it('shows what waits and what runs, one progress bar, and no verdict, also after a reload', async () => {
    const { id } = await api('/runs', { app: 'desk', sets: ['home'] });
    await page.goto(`${studio.url}/#/runs/${id}`);
    const wanted = {
      good: 'Passed',
      bad: 'Failed',
      broken: 'Error',
      slow_one: 'Running',
      hang_please: 'Running',
      later_0: 'Waiting',
      later_5: 'Waiting',
    };
    for (const when of ['first', 'reloaded']) {
      await expect.poll(rows, { message: when }).toMatchObject(wanted);
      const told = await head();
      expect(told).toMatch(/Running\s+3 of 11 cases done: 1 failed, 1 error, 1 passed/);
      expect(told).toMatch(/\d+ s so far · about .* to go/);
      expect(told).not.toMatch(/Unfinished run|not shown|no inference/);
      expect(await page.locator('[role=progressbar], progress, [role=img]').count()).toBe(1);
      expect(await page.locator('[role=progressbar]').getAttribute('aria-valuenow')).toBe('3');
      await picture(when);
      await page.reload();
    }
    await expect.poll(rows).toMatchObject(wanted);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    // A filter by state stays in the address.
    await page.getByRole('button', { name: '6 waiting' }).click();
    await expect.poll(async () => Object.keys(await rows()).length).toBe(6);
    await page.getByRole('button', { name: '6 waiting' }).click();
  });

  it('says of a case without a result that it is running, instead of an error', async () => {
    const address = page.url();
    await page.locator('.case a', { hasText: 'hang_please' }).press('Enter');
    await page.locator('main.case-view').waitFor();
    await expect.poll(() => page.locator('main').innerText()).toMatch(/Running\s+The agent is working on this case/);
    expect(await page.locator('main').innerText()).not.toMatch(/no inference|Error/);
    await picture('case');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(address);
  });

  it('refreshes its rows as cases finish', async () => {
    writeFileSync(join(folder, 'desk', 'gate'), '');
    await expect
      .poll(rows)
      .toMatchObject({ slow_one: 'Passed', later_0: 'Passed', later_5: 'Passed', hang_please: 'Running' });
    await expect.poll(head).toMatch(/10 of 11 cases done/);
    expect(await head()).toMatch(/the last one is running/);
    await picture('last');
  });

  it('is cancelled by a first press, and ended at once by a second one', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect
      .poll(head)
      .toMatch(/Cancelled: nothing new begins, and 1 case in flight comes to an end\. A turn may take up to 5 min/);
    await picture('cancelled');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop now' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await drawn(page);
    expect(await head()).toMatch(/Unfinished run\. 10 of 11 conversations/);
    expect(await page.locator('[role=progressbar]').count()).toBe(0);
    expect(await rows()).toMatchObject({ hang_please: 'Error' });
    await picture('stopped');
    expect(problems).toEqual([]);
  });
});

const MANY = allRuns ? 10_000 : 1_000;

describe.skipIf(executablePath === undefined)(`a run of ${MANY} cases in flight`, () => {
  it('is shown as its cases finish, with few rows in the page, until its verdict', { timeout: 600_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-live-'));
    mkdirSync(join(folder, 'desk'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), AGENT);
    const cases = Array.from({ length: MANY }, (_, index) =>
      evalCase(`case_${index}`, index === MANY - 1 ? 'wait' : index % 100 === 99 ? 'wrong' : `hello ${index}`),
    );
    writeFileSync(
      join(folder, 'desk', 'many.evalset.json'),
      JSON.stringify({ eval_set_id: 'many', eval_cases: cases }),
    );
    writeFileSync(
      join(folder, 'desk', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.9 } }),
    );
    const studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    const browser = await chromium.launch({ executablePath: executablePath as string });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(120_000);
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
      page.on('console', (message) => problems.push(`console: ${message.text()}`));
      await page.goto(studio.link);
      await page.goto(`${studio.url}/#/apps/desk/sets/many/run`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const done = page.locator('[role=progressbar]');
      await done.waitFor();
      const words = (count: number) => count.toLocaleString('en');
      const head = () => page.locator('header.run').innerText();
      // The page is used while its rows change: it opens a case, and comes back to the list.
      await page.locator('.rows .case a').first().click();
      await page.locator('main.case-view').waitFor();
      await page.goBack();
      const wrong = Math.floor(MANY / 100) - 1;
      await expect
        .poll(head, { timeout: 300_000 })
        .toContain(
          `${words(MANY - 1)} of ${words(MANY)} cases done: ${wrong} failed, ${words(MANY - 1 - wrong)} passed`,
        );
      expect(await done.getAttribute('aria-valuenow')).toBe(String(MANY - 1));
      expect(await page.locator('.rows > .row').count()).toBeLessThan(120);
      writeFileSync(join(folder, 'desk', 'gate'), '');
      await page.getByText(`${words(MANY - wrong)} of ${words(MANY)} cases passed.`).waitFor();
      expect(await page.locator('.rows > .row').count()).toBeLessThan(120);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
