import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The layout of the studio was NOT tested in a browser.`);
}

/** Ids as people write them: long, and made of words with underscores. */
const CASES = [
  'switch_off_whatever_is_on_in_a_room',
  'temperature_read_set_and_read_again',
  'asks_which_one_instead_of_guessing',
  'short',
];
const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});
const EVAL_SET = {
  eval_set_id: 'home__set',
  eval_cases: CASES.map((id, place) => ({
    eval_id: id,
    conversation: [
      turn(`question ${place}`, place === 0 ? 'something quite different' : `You said: question ${place}`),
    ],
  })),
};
const AGENT = `
export const rootAgent = (text) => ({
  text: 'You said: ' + text,
  toolCalls: [{ id: 'c', name: 'look_up', args: { what: text } }],
  toolResponses: [{ id: 'c', name: 'look_up', response: { found: 12 } }],
});
`;

describe.skipIf(executablePath === undefined)('the layout of the studio', () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-layout-'));
  const problems: string[] = [];
  let browser: Browser;
  let studio: Awaited<ReturnType<typeof startStudio>>;
  /** The address of the run that the first test makes. */
  let run = '';

  beforeAll(async () => {
    for (const name of ['lamp', ...Array.from({ length: 9 }, (_, place) => `other_${place}`)]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'agent.mjs'), AGENT);
      writeFileSync(join(folder, name, 'home__set.evalset.json'), JSON.stringify(EVAL_SET));
      writeFileSync(
        join(folder, name, 'test_config.json'),
        JSON.stringify({ criteria: { response_match_score: 0.8, tool_trajectory_avg_score: 0 } }),
      );
    }
    browser = await chromium.launch({ executablePath: executablePath! });
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      agentProcesses: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [toolTrajectory, responseMatch] },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(hash: string, width = 1280) {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await lead(page, hash);
    return { page, [Symbol.asyncDispose]: () => context.close() };
  }
  async function lead(page: Page, hash: string) {
    await page.goto(`${studio.url}/${hash}`);
    await page.waitForSelector('h1:not(.note)');
    await drawn(page);
  }
  const topOf = async (page: Page, selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY;

  it('shows first steps as long as nothing has run, and the last verdict of each agent afterwards', async () => {
    await using opened = await open('#/');
    const { page } = opened;
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    expect(await page.locator('.first-steps li').count()).toBe(3);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator('.agent-row').first().getByRole('link', { name: 'Run…' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('3 of 4 cases passed.').waitFor();
    run = new URL(page.url()).hash.replace(/\/?(?:\?.*)?$/, '');
    await lead(page, '#/');
    const row = page.locator('.agent-row', { hasText: 'lamp' });
    await row.locator('.note a').waitFor();
    expect(await row.locator('.last-verdict').innerText()).toContain('3/4');
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  });

  it('begins the cases of a run near the top, with whole ids and all criteria in sight or hinted at', async () => {
    await using opened = await open(run);
    const { page } = opened;
    await page.locator('.case-pane').waitFor();
    await drawn(page);
    expect(await topOf(page, '.rows .row')).toBeLessThanOrEqual(160);
    const cut = await page
      .locator('.rows .case a')
      .evaluateAll((links) => links.filter((link) => link.scrollHeight > link.clientHeight + 1).length);
    expect(cut).toBe(0);
    const verdicts = page.locator('.rows .row .verdict');
    expect(await verdicts.first().innerText()).toContain('Failed');
    expect((await verdicts.first().boundingBox())?.width).toBeLessThan(60);
    const head = page.getByRole('columnheader', { name: /response_match_score/ });
    expect(await head.innerText()).toMatch(/response match/);
    const hidden = await page.locator('.of-criterion').evaluateAll((columns) => {
      const right = document.querySelector('.grid')?.getBoundingClientRect().right ?? 0;
      return columns.filter((column) => column.getBoundingClientRect().right > right + 8).length;
    });
    expect(await page.locator('.beyond button').count()).toBe(hidden > 0 ? 1 : 0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('shows the answer of a failed case above the fold, and its criteria after it', async () => {
    await using opened = await open(`${run}/case/home__set/${CASES[0]}`);
    const { page } = opened;
    await page.locator('.side-text.actual').waitFor();
    await drawn(page);
    const answer = await topOf(page, '.side-text.actual');
    expect(answer).toBeLessThan(700);
    expect(await topOf(page, '.case-view > .criteria')).toBeGreaterThan(answer);
    const starts = await page
      .locator('.case-view > .criteria .meter')
      .evaluateAll((bars) => [...new Set(bars.map((bar) => Math.round(bar.getBoundingClientRect().left)))]);
    expect(starts.length).toBeLessThanOrEqual(1);
    // One primary action.
    expect(await page.locator('.main, a.button').count()).toBe(1);
    await page.locator('.menu > summary').click();
    expect(await page.locator('.menu button').allInnerTexts()).toEqual(['id', 'command', 'link', 'Markdown', 'JSON']);
    await page.keyboard.press('Escape');
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('unfolds only the current agent in the side bar, marks the set of a run, and stays hidden', async () => {
    await using opened = await open(run);
    const { page } = opened;
    const bar = page.locator('.sidebar');
    await bar.locator('[aria-current]').waitFor();
    expect(await bar.locator('.set-line').count()).toBe(1);
    expect(await bar.locator('[aria-current]').innerText()).toContain('home__set');
    await bar.getByRole('button', { name: 'Eval sets of other_3' }).click();
    expect(await bar.locator('.set-line').count()).toBe(2);
    await page.getByRole('button', { name: 'Hide the side bar' }).press('Enter');
    expect(await bar.count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Show the side bar' }).press('Enter');
    await bar.waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Hide the side bar');
  });

  it('says what there is where an address names an agent, an eval set or a run that is not there', async () => {
    await using opened = await open('#/apps/nobody/sets/x/run');
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'No such agent' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'lamp' }).click();
    await page.getByRole('heading', { level: 1, name: 'lamp' }).waitFor();
    for (const rest of ['', '/run', '/trends', '/cases/x']) {
      await lead(page, `#/apps/lamp/sets/nothing${rest}`);
      await page.getByRole('heading', { level: 1, name: 'No such eval set' }).waitFor();
    }
    await page.getByRole('main').getByRole('link', { name: 'home__set' }).click();
    await page.getByRole('heading', { level: 1, name: 'home__set' }).waitFor();
    await lead(page, '#/runs/nothing');
    await page.getByRole('main').getByRole('link', { name: 'All runs' }).waitFor();
  });

  it('begins a chat with a message, and shows a call and its result in one row', async () => {
    await using opened = await open('#/apps/lamp/chat');
    const { page } = opened;
    await page.getByLabel('Message to the agent').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByText('You said: Hello').waitFor();
    const call = page.locator('.chat-call');
    expect(await call.count()).toBe(1);
    expect(await call.innerText()).toMatch(/look_up[\s\S]*Hello[\s\S]*→[\s\S]*12/);
    expect(await page.locator('.said-by b:not(.unseen)').count()).toBe(2);
    expect(await page.locator('.main').allInnerTexts()).toEqual(['Send']);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('keeps the rows of a set apart on a phone, and breaks ids between words', async () => {
    await using opened = await open('#/apps/lamp/sets/home__set', 360);
    const { page } = opened;
    await page.locator('.case-line a').first().waitFor();
    const overflow = await page
      .locator('.case-line')
      .evaluateAll((lines) => lines.filter((line) => line.scrollHeight > line.clientHeight + 1).length);
    expect(overflow).toBe(0);
    expect(await page.locator('.case-line bdi wbr').count()).toBeGreaterThan(4);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it('has its frame in the page itself, before any other file arrives', async () => {
    const page = await (await fetch(studio.url, { headers: { authorization: `Bearer ${studio.token}` } })).text();
    expect(page).toMatch(/<div id="app"><div class="boot-bar">Agent Criteria<\/div>/);
    expect(page.indexOf('rel="stylesheet"')).toBeGreaterThan(page.indexOf('boot-note"'));
    const script = await fetch(`${studio.url}/app/main.js`, { headers: { authorization: `Bearer ${studio.token}` } });
    expect(script.headers.get('content-encoding')).toBe('gzip');
    expect(problems).toEqual([]);
  });
});
