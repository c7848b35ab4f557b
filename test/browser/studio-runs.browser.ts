import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { renameRun } from '@agent-criteria/project/runs';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The list of runs in studio was NOT tested in a browser.`);
}

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const AGENT = `export const rootAgent = (text) => text === 'wrong' ? 'No idea' : text;`;
const HOSTILE = '<img src=x onerror=alert(1)>';
const RUNS = 60;
const HASH = 'abcdef0123456789abcdef0123456789abcdef01';

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])("studio's list of runs $name", ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-runs-'));
  const runsFolder = join(folder, 'runs');
  const pictures = process.env.RUN_VIEW_PICTURES;
  const isPhone = width < 720;
  /** Newest first. Every third run is of the set that fails. */
  const runs: string[] = [];
  let browser: Browser;
  let studio: RunningStudio;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    const write = (name: string, text: string) => writeFileSync(join(folder, 'desk', name), text);
    write('agent.mjs', AGENT);
    for (const [set, ids] of Object.entries({ home: ['a', 'b'], orders: ['a', 'wrong'] })) {
      const evalCases = ids.map((id) => ({ eval_id: id, conversation: [turn(id)] }));
      write(`${set}.evalset.json`, JSON.stringify({ eval_set_id: set, eval_cases: evalCases }));
    }
    write('test_config.json', JSON.stringify({ criteria: { response_match_score: 1 } }));
    studio = await startStudio({
      folder,
      port: 0,
      agentProcesses: false,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder },
      builtIn: { plugins: [responseMatch] },
    });
    const headers = { authorization: `Bearer ${studio.token}` };
    const run = async (set: string) => {
      const body = JSON.stringify({ app: 'desk', sets: [set] });
      const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body });
      const { id } = (await made.json()) as { readonly id: string };
      await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
      return id;
    };
    const [home, orders] = [await run('home'), await run('orders')];
    for (let index = 0; index < RUNS; index += 1) {
      const createdAt = Date.UTC(2026, 0, 60 - index, 12);
      const id = `${new Date(createdAt).toISOString().slice(0, 10).replaceAll('-', '')}-120000-abcd`;
      cpSync(join(runsFolder, index % 3 === 0 ? orders : home), join(runsFolder, id), { recursive: true });
      const plan = join(runsFolder, id, 'plan.json');
      const commit = index < 10 ? { commit: { hash: HASH, dirty: true } } : {};
      writeFileSync(plan, JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), id, createdAt, ...commit }));
      runs.push(id);
    }
    for (const id of [home, orders]) rmSync(join(runsFolder, id), { recursive: true });
    renameRun(runs[4] ?? '', HOSTILE, runsFolder);
    renameRun(runs[6] ?? '', 'shorter prompt', runsFolder);
    browser = await chromium.launch({ executablePath: executablePath as string });
    page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    // Browsers report the refused name, and the run that was deleted elsewhere.
    const isMeant = (text: string) => /server responded with a status of (400|404)/.test(text);
    page.on('console', (message) => isMeant(message.text()) || problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const says = (text: string) =>
    page.locator('.runs-bar [role=status]', { hasText: new RegExp(`^${text}$`) }).waitFor();
  const rows = () => page.locator('.run-row');
  const settled = async (picture: string) => {
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    if (pictures) await page.screenshot({ path: join(pictures, `runs-${picture}-${width}.png`) });
  };

  it('is dense, and shows marks, commits, and the criteria once', async () => {
    await page.goto(`${studio.url}/#/runs`);
    await says('60 runs');
    expect(await rows().count()).toBe(50);
    const shown = await page.evaluate(
      () =>
        [...document.querySelectorAll('.run-row')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight)
          .length,
    );
    expect(shown).toBeGreaterThanOrEqual(isPhone ? 5 : 12);
    expect(await page.locator('.common-criteria').innerText()).toContain('response_match_score ≥ 1');
    expect(await rows().first().innerText()).not.toContain('response_match_score');
    expect(await rows().first().innerText()).toContain('abcdef0');
    expect(await page.locator('.run-name', { hasText: HOSTILE }).count()).toBe(1);
    await settled('all');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await expect.poll(() => rows().count()).toBe(10);
    await page.goBack();
    await expect.poll(() => rows().count()).toBe(50);
  });

  it('is searched and filtered by its address, which a link reopens and the way back leaves', async () => {
    await page.goto(`${studio.url}/#/runs`);
    await says('60 runs');
    await page.keyboard.press('/');
    await page.keyboard.type('abcdef0');
    await says('10 of 60 runs');
    if (isPhone) await page.getByRole('button', { name: 'Filters' }).click();
    else await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Verdict', { exact: true }).selectOption('failed');
    await says('4 of 60 runs');
    await page.getByLabel('From').fill('2026-02-25');
    await says('2 of 60 runs');
    await settled('filtered');
    const address = page.url();
    await page.locator('.run-name').first().click();
    await page.locator('.rows').first().waitFor();
    await page.goBack();
    await says('2 of 60 runs');
    await page.goBack();
    await says('4 of 60 runs');
    await page.goBack();
    await says('10 of 60 runs');
    expect(await page.locator('#search').inputValue()).toBe('abcdef0');
    await page.goBack();
    await says('60 runs');
    expect(await page.locator('#search').inputValue()).toBe('');
    await page.goto('about:blank');
    await page.goto(address);
    await says('2 of 60 runs');
    expect(await page.getByLabel('From').inputValue()).toBe('2026-02-25');
    await page.getByRole('button', { name: 'Show all' }).click();
    await says('60 runs');
    await page.goto(`${studio.url}/#/runs?search=nothing+like+it`);
    await page.getByText('No run fits.').waitFor();
  });

  it('is sorted by its column heads, or by a field where there is no room for them', async () => {
    await page.goto(`${studio.url}/#/runs`);
    await says('60 runs');
    const first = () => rows().first().locator('.run-name').getAttribute('href');
    if (isPhone) await page.getByLabel('Order').selectOption('Oldest first');
    else await page.getByRole('button', { name: 'Started' }).press('Enter');
    await expect.poll(first).toBe(`#/runs/${runs.at(-1)}`);
    if (isPhone) await page.getByLabel('Order').selectOption('Fewest passed first');
    else await page.getByRole('button', { name: 'Cases' }).press('Enter');
    await expect.poll(first).toBe(`#/runs/${runs[0]}`);
    if (!isPhone) {
      expect(await page.getByRole('columnheader', { name: 'Cases' }).getAttribute('aria-sort')).toBe('ascending');
    }
    expect(await rows().nth(1).locator('.run-name').getAttribute('href')).toBe(`#/runs/${runs[3]}`);
  });

  it('gives runs names by the keyboard alone', async () => {
    await page.goto(`${studio.url}/#/apps/desk/runs?search=${runs[7]}`);
    await says('1 of 60 runs');
    await rows().first().locator('.menu > summary').press('Enter');
    await page.getByRole('button', { name: 'Name…' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('last');
    await page.keyboard.press('Enter');
    await page.getByText('it would be taken for the last run').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByLabel('Name').fill('with the long prompt');
    await page.keyboard.press('Enter');
    await page.locator('.run-name', { hasText: 'with the long prompt' }).waitFor();
    await page.goto(`${studio.url}/#/runs?search=long+prompt`);
    await says('1 of 60 runs');
  });

  it('deletes a run, and several chosen ones on any page, after it has said what is lost', async () => {
    await page.goto(`${studio.url}/#/runs?search=shorter+prompt`);
    await says('1 of 60 runs');
    await rows().first().locator('.menu > summary').click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toMatch(/shorter prompt[\s\S]*2 cases/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(existsSync(join(runsFolder, runs[6] ?? ''))).toBe(true);
    await rows().first().locator('.menu > summary').click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: 'Delete the run' }).click();
    await page.getByText('No run fits.').waitFor();
    expect(existsSync(join(runsFolder, runs[6] ?? ''))).toBe(false);

    await page.goto(`${studio.url}/#/runs?sort=oldest`);
    await says('59 runs');
    await rows().first().locator('.run-name').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 chosen').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect.poll(() => rows().count()).toBe(9);
    await rows().last().getByRole('checkbox').check();
    await page.getByText('3 chosen').waitFor();
    // One of them is deleted elsewhere meanwhile.
    rmSync(join(runsFolder, runs.at(-2) ?? ''), { recursive: true });
    await page.getByRole('button', { name: 'Delete… 3 runs' }).click();
    expect(await dialog.innerText()).toMatch(/Delete 3 runs\?[\s\S]*cannot be undone[\s\S]*6 cases/);
    await settled('delete');
    await dialog.getByRole('button', { name: 'Delete 3 runs' }).click();
    await says('56 runs');
    for (const run of [runs[0], runs.at(-1), runs.at(-2)]) expect(existsSync(join(runsFolder, run ?? ''))).toBe(false);
    expect(existsSync(join(runsFolder, runs[1] ?? ''))).toBe(true);
    expect(await page.locator('.chosen-runs').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
