import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentText, defineCriterion, noOptions } from '@agent-criteria/core';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCriteria } from '../../packages/cli/src/built-in-criteria.ts';
import { copyAgent, NOTHING } from './copied-agent.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} Labelling in the studio was NOT tested in a browser.`);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const HOSTILE = '<img src=x onerror=alert(1)>';

/** Creates a criterion with two rubrics for each answer; the judge's rationale for the first is hostile. */
const manners = defineCriterion({
  name: 'manners',
  origin: { package: 'test', version: '1.0.0' },
  description: 'How the agent behaves.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual }) => ({
    parts: [
      {
        id: 'greets',
        kind: 'rubric',
        text: `The answer greets. ${HOSTILE}`,
        value: contentText(actual.finalResponse).includes('Hello') ? 1 : 0,
        reason: `A secret of the judge ${HOSTILE}`,
      },
      { id: 'short', kind: 'rubric', text: 'The answer is short.', value: 1 },
    ],
  }),
});

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: `Hello ${text}` }] },
});

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('labelling in the studio $name', ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-label-'));
  const pictures = process.env.RUN_VIEW_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;
  const runs: Record<string, string> = {};

  beforeAll(async () => {
    copyAgent(join(root, 'examples/labelled-answers'), join(folder, 'desk'), NOTHING);
    mkdirSync(join(folder, 'polite'));
    const file = (name: string) => join(folder, 'polite', name);
    writeFileSync(
      file('agent.mjs'),
      `export const rootAgent = (text) => ({
        text: (text.endsWith('1') ? 'Hello ' : 'Well ') + text + ' ${HOSTILE}',
        toolCalls: [{ name: 'look_up', args: { text } }],
      });`,
    );
    const conversation = (index: number) => [turn(`case ${index}, first`), turn(`case ${index}, turn 1`)];
    const cases = [0, 1, 2].map((index) => ({ eval_id: `c${index}`, conversation: conversation(index) }));
    writeFileSync(file('home.evalset.json'), JSON.stringify({ eval_set_id: 'home', eval_cases: cases }));
    writeFileSync(file('test_config.json'), JSON.stringify({ criteria: { manners: 1 } }));
    studio = await startStudio({
      folder,
      port: 0,
      environment: { USER: 'ada' },
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [...builtInCriteria, manners] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const headers = { authorization: `Bearer ${studio.token}` };
    for (const app of ['desk', 'polite']) {
      const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: JSON.stringify({ app }) });
      const { id } = (await made.json()) as { readonly id: string };
      await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
      runs[app] = id;
    }
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(address: string): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
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
    await page.goto(`${studio.url}/${address}`);
    return { page, problems };
  }
  const labelsOf = (run: string) =>
    readFileSync(join(folder, 'runs', run, 'scorings/1/labels.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const looks = async (page: Page, name: string) => {
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `label-${name}-${width}.png`) });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  };

  it('leads from a judged run to its answers, which can be labelled with keys alone', async () => {
    const run = runs.desk ?? '';
    const { page, problems } = await opened(`#/runs/${run}`);
    const link = page.getByRole('link', { name: /Label the judge’s answers/ });
    await link.waitFor();
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `label-run-${width}.png`) });
    await link.press('Enter');
    const heading = page.locator('#label-thing-title');
    const said = page.locator('.label-said');
    const progress = page.locator('.label-progress span');
    await heading.waitFor();
    expect(page.url()).toContain(`#/label/${run}`);
    expect(await page.locator('h1').innerText()).toBe('Label final_response_match_v2');
    expect(await page.getByLabel('Who labels').inputValue()).toBe('ada');
    expect(await progress.innerText()).toBe('0 of 160 labelled');
    // Nothing from the judge appears, neither in the page nor in the responses.
    expect(await page.locator('main').innerText()).not.toMatch(/Judge:|The reference names|Both name/);
    await looks(page, 'before');

    const first = await heading.innerText();
    await page.keyboard.press('r');
    await page.keyboard.type('It says so. <b>pf</b>');
    await page.keyboard.press('Enter');
    await page.keyboard.press('p');
    await said.waitFor();
    expect(await said.innerText()).toMatch(
      /You: pass: It says so\. <b>pf<\/b>\s+Judge: (pass: Both name|fail: The ref)/,
    );
    expect(await progress.innerText()).toBe('1 of 160 labelled');
    await looks(page, 'after');
    expect(labelsOf(run)).toMatchObject([
      { by: 'ada', label: 'pass', reason: 'It says so. <b>pf</b>', criterion: 'final_response_match_v2', turn: 0 },
    ]);

    // Undo, the opposite label, next, skip and back.
    await page.keyboard.press('u');
    await said.waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    await said.waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => heading.innerText()).not.toBe(first);
    const second = await heading.innerText();
    await page.keyboard.press('s');
    await expect.poll(() => heading.innerText()).not.toBe(second);
    await page.keyboard.press('b');
    await expect.poll(() => heading.innerText()).toBe(second);
    await page.keyboard.press('b');
    await expect.poll(() => heading.innerText()).toBe(first);
    expect(await said.innerText()).toMatch(/^You: fail/);
    expect(labelsOf(run).map(({ label }) => label)).toEqual(['pass', null, 'fail']);

    // A quarter of the answers fail: the sample is drawn by verdict unless the user chooses otherwise.
    expect(labelsOf(run).map(({ drawn }) => drawn)).toEqual(['by-verdict', 'by-verdict', 'by-verdict']);
    await page.getByLabel('Order').selectOption('random');
    await expect.poll(() => said.count()).toBe(0);
    await page.getByLabel('Order').selectOption('');

    // Another person starts from the beginning, and sees none of these labels; the name is kept.
    await page.getByLabel('Who labels').fill('ben');
    await page.getByLabel('Who labels').press('Tab');
    await expect.poll(() => progress.innerText()).toBe('0 of 160 labelled');
    expect(await said.count()).toBe(0);
    await page.reload();
    await expect.poll(() => page.getByLabel('Who labels').inputValue()).toBe('ben');

    // Holding a key down does not label answers that were not seen.
    await heading.waitFor();
    for (let time = 0; time < 5; time += 1) await page.keyboard.press('p');
    await expect.poll(() => progress.innerText()).toBe('1 of 160 labelled');

    await page.getByText('How far the judge agrees').click();
    await page.getByRole('row', { name: /^Same verdict/ }).waitFor();
    await page.getByText(`npx agent-criteria calibrate ${run}`).waitFor();
    await looks(page, 'agreement');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('asks about one rubric of an answer, as text whatever it contains', async () => {
    const run = runs.polite ?? '';
    const { page, problems } = await opened(`#/label/${run}?criterion=manners&rubric=greets`);
    const heading = page.locator('#label-thing-title');
    await heading.waitFor();
    expect(await page.locator('h1').innerText()).toBe('Label manners, rubric greets');
    expect(await page.locator('.label-question').innerText()).toBe(`greets: The answer greets. ${HOSTILE}`);
    expect(await page.content()).not.toContain('A secret of the judge');
    await looks(page, 'rubric');
    const seen: string[] = [];
    for (let place = 0; place < 6; place += 1) {
      await expect.poll(() => heading.innerText()).not.toBe(seen.at(-1));
      seen.push(await heading.innerText());
      await page.keyboard.press(place % 2 === 0 ? 'p' : 'f');
      await page.locator('.label-said').waitFor();
      expect(await page.locator('.label-said').innerText()).toContain(`A secret of the judge ${HOSTILE}`);
      // The focus is on the next control.
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: 'All 6 have your label.' }).waitFor();
    await page.getByText(/criterion and people agree on/).waitFor();
    await looks(page, 'done');
    expect(labelsOf(run)).toHaveLength(6);
    expect(labelsOf(run)[0]).toMatchObject({ criterion: 'manners', rubric: 'greets' });

    // Another kind, such as whole cases, can be chosen with the same keys.
    await page.getByRole('combobox', { name: /^What/ }).selectOption({ label: 'whole cases (0 of 3)' });
    await expect.poll(() => page.locator('h1').innerText()).toBe('Label whole cases');
    await heading.waitFor();
    expect(await page.locator('.label-thing .turn').count()).toBe(2);
    await page.keyboard.press('p');
    await page.locator('.label-said', { hasText: 'Run:' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
