import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

const AGENT = `export const rootAgent = async (message) => ({
  text: message.includes('fail') ? '<img src=x onerror="window.hacked = 1"><script>window.hacked = 2</script>' : 'You said: ' + message,
});
`;

const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});

const SET = {
  eval_set_id: 'home',
  name: 'Home',
  mine: { kept: true },
  eval_cases: [
    { eval_id: 'good', conversation: [turn('Hi', 'You said: Hi')] },
    { eval_id: 'bad/1', conversation: [turn('please fail', 'You said: please fail')], other: { kept: 1 } },
    { eval_id: 'fine', conversation: [turn('Bye', 'You said: Bye')] },
  ],
};

describe.skipIf(executablePath === undefined)('the studio in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-studio-'));
  const file = join(folder, 'lamp', 'home.evalset.json');
  let browser: Browser;
  let studio: RunningStudio;
  beforeAll(async () => {
    await mkdir(join(folder, 'lamp'));
    writeFileSync(join(folder, 'lamp', 'agent.mjs'), AGENT);
    writeFileSync(file, JSON.stringify(SET));
    browser = await chromium.launch({ executablePath: executablePath! });
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [toolTrajectory, responseMatch] },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a signed-in page, and collects everything that goes wrong on it. */
  async function open(hash: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      // The browser's message about a request that was rejected on purpose.
      if (!/status of 4[12]2/.test(message.text())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(studio.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(studio.link);
    await page.waitForSelector('.sidebar, .masthead');
    await page.goto(`${studio.url}/${hash}`);
    await drawn(page);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
  const saved = () => JSON.parse(readFileSync(file, 'utf8'));

  it('creates, renames and deletes a set, and can undo a rename', async () => {
    await using opened = await open('#/');
    const { page, problems } = opened;
    await page.getByRole('button', { name: 'New set of lamp' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('other');
    await page.keyboard.press('Enter');
    await heading(page, 'other');
    await page.getByRole('button', { name: 'Rename or delete other' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('The other');
    await page.keyboard.press('Enter');
    await heading(page, 'The other');
    await page.getByRole('button', { name: 'Undo' }).click();
    await heading(page, 'other');
    await page.getByRole('button', { name: 'Rename or delete other' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await heading(page, 'lamp');
    await expect.poll(() => page.locator('.set-line').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('runs a set, follows its progress, opens the first failure, and filters by a click', async () => {
    await using opened = await open('#/apps/lamp/sets/home');
    const { page, problems } = opened;
    await page.getByRole('link', { name: 'Run all…' }).click();
    await page.getByText('3 cases. No judge is asked.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('2 of 3 cases passed.').waitFor();
    // The list of sets shows it, too.
    await page.locator('.set-line', { hasText: /Last run, .*: 3 cases, 2 passed, 1 failed/ }).waitFor();
    expect(await page.locator('.set-line .last-verdict').innerText()).toContain('2/3');
    await page.locator('.rows .row .score.failed button').first().click();
    await expect.poll(() => page.locator('.rows .row').count()).toBe(1);
    expect(page.url()).toContain('criterion=response_match_score');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByText('response_match_score').first().waitFor();
    await page.locator('.run-row .run-name').first().click();
    const failure = page.getByRole('region', { name: 'Case bad/1' });
    await failure.getByText('You said: please fail').first().waitFor();
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    await page.goBack();
    await heading(page, 'Runs of lamp');
    expect(problems).toEqual([]);
  });

  it('edits a case as a form and as JSON, undoes, saves, and shows both sides of an edit conflict', async () => {
    await using opened = await open('#/apps/lamp/sets/home/cases/good');
    const { page, problems } = opened;
    const answer = page.getByLabel('Expected answer', { exact: true });
    await answer.fill('Hello');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => answer.inputValue()).toBe('You said: Hi');
    await answer.fill('Hello to you');
    await page.getByRole('link', { name: 'JSON' }).click();
    await page.locator('.cm-content').waitFor();
    // The page's keyboard shortcuts are off in the editor.
    await page.locator('.cm-content').click();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('Not a case yet').waitFor();
    await page.keyboard.press('Backspace');
    expect(await page.locator('.cm-content').innerText()).toContain('Hello to you');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved “good”.').waitFor();
    expect(saved()).toMatchObject({
      mine: { kept: true },
      eval_cases: [{ eval_id: 'good' }, { other: { kept: 1 } }, {}],
    });
    expect(JSON.stringify(saved())).toContain('Hello to you');
    // Somebody else saves in the meantime.
    await page.getByRole('link', { name: 'Form' }).click();
    await answer.fill('Mine');
    writeFileSync(file, JSON.stringify(saved()).replace('Hello to you', 'Theirs'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.locator('.conflict');
    await conflict.waitFor();
    expect(await conflict.innerText()).toMatch(/Mine[\s\S]*Theirs/);
    expect(JSON.stringify(saved())).toContain('Theirs');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await expect.poll(() => JSON.stringify(saved())).toContain('Mine');
    expect(problems).toEqual([]);
  });

  it('can be navigated with only the keyboard', async () => {
    await using opened = await open('#/runs');
    const { page, problems } = opened;
    await page.locator('.run-row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Case bad/1' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'bad/1');
    await page.keyboard.press('Escape');
    await page.getByText('2 of 3 cases passed.').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('is accessible and fits at %i px, %s', async (width, scheme) => {
    await using opened = await open('#/runs', width, scheme);
    const { page, problems } = opened;
    await page.locator('.run-row').first().waitFor();
    const run = await page.locator('.run-row .run-name').first().getAttribute('href');
    for (const hash of [
      '#/',
      '#/apps/lamp',
      '#/apps/lamp/sets/home',
      '#/apps/lamp/sets/home/run',
      '#/apps/lamp/sets/home/cases/good',
      '#/apps/lamp/sets/home/cases/good?pane=json',
      '#/runs',
      run ?? '',
      `${run}/`,
    ]) {
      await page.goto('about:blank');
      await page.goto(`${studio.url}/${hash}`);
      await page.waitForSelector('h1:not(.note)');
      await page.waitForLoadState('networkidle');
      await drawn(page);
      expect([hash, await accessibilityProblems(page), await sidewaysScroll(page)]).toEqual([hash, [], 0]);
    }
    expect(problems).toEqual([]);
  });
});
