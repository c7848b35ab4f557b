import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The run view of studio was NOT tested in a browser.`);
}

const HOSTILE = '<img src=x onerror=alert(1)>';

/** An agent that reports its steps, gives a different answer every third time, and fails on request. */
const DESK = `
const said = (parts) => ({ author: 'desk', content: { role: 'model', parts } });
let [asked, sessions] = [0, 0];
export const rootAgent = {
  name: 'desk',
  describe: async () => ({ name: 'desk', tools: [{ name: 'look_up' }, { name: 'cancel' }] }),
  async open() {
    let turn = -1;
    sessions += 1;
    return {
      id: 'session ' + sessions,
      async send(content) {
        turn += 1;
        const [{ text }] = content.parts;
        if (text === 'fail') throw new Error('The quota is used up.');
        const call = { id: 'c' + turn, name: 'look_up', args: { day: '2026-11-23', what: text } };
        asked += text === 'flaky' ? 1 : 0;
        const answer = text === 'flaky' ? 'Answer ' + (asked % 2) : 'Found: ' + text + ' ${HOSTILE}';
        const at = Date.now();
        const step = (id, kind, name, from, to, more) => ({
          id: id + turn, kind, name, author: 'desk', turn, startedAt: at + from, endedAt: at + to,
          ...(kind === 'agent' ? {} : { parentId: 'a' + turn }), ...more,
        });
        return {
          invocation: {
            userContent: content,
            intermediateData: { invocationEvents: [
              said([{ text: 'One moment.' }, { functionCall: call }]),
              said([{ functionResponse: { id: call.id, name: call.name, response: { rooms: [12] } } }]),
            ] },
            finalResponse: { role: 'model', parts: [{ text: answer }] },
          },
          trace: [
            step('a', 'agent', 'desk', 0, 40),
            step('m', 'model', 'scripted', 0, 10, { request: { asked: text }, response: { said: 'call' }, usage: { promptTokenCount: 120, candidatesTokenCount: 15 } }),
            step('t', 'tool', 'look_up', 11, 20, { request: call.args, response: { rooms: [12] } }),
            step('n', 'model', 'scripted', 21, 40),
          ],
        };
      },
      state: async () => ({}),
      close: async () => {},
    };
  },
};
`;

/** An agent that reports its calls, but no times. */
const PLAIN = `export const rootAgent = (message) => ({
  text: 'You said: ' + message,
  toolCalls: [{ name: 'look_up', args: { text: message } }],
  toolResponses: [{ name: 'look_up', response: { found: 1 } }],
});
`;

const turn = (text: string, answer: string | null, day = '2026-11-23') => ({
  user_content: { role: 'user', parts: [{ text }] },
  ...(answer === null ? {} : { final_response: { role: 'model', parts: [{ text: answer }] } }),
  intermediate_data: { tool_uses: [{ name: 'look_up', args: { day, what: text } }] },
});

const found = (text: string) => `Found: ${text} ${HOSTILE}`;

const HOME = {
  eval_set_id: 'home',
  mine: { kept: true },
  eval_cases: [
    { eval_id: 'good', conversation: [turn('a lamp', found('a lamp'))], agent_criteria: { tags: ['smoke'] } },
    { eval_id: 'late', conversation: [turn('a room', found('a room'), '2026-11-20')], other: { kept: 1 } },
    {
      eval_id: 'talk',
      conversation: [turn('a bed', found('a bed')), turn('a bath', 'There is a bath on the second floor.')],
      agent_criteria: { tags: ['smoke', 'long'] },
    },
    { eval_id: 'silent', conversation: [turn('a key', null)] },
    { eval_id: 'broken', conversation: [turn('fail', 'It works')] },
    { eval_id: 'fine', conversation: [turn('a cup', found('a cup'))] },
  ],
};

const CONFIG = { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.9 } };

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const, phone: false },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const, phone: true },
])("studio's run view $name", ({ width, colorScheme, phone }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-run-'));
  const file = join(folder, 'desk', 'home.evalset.json');
  const pictures = process.env.RUN_VIEW_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;
  let run = '';

  beforeAll(async () => {
    for (const app of ['desk', 'plain']) mkdirSync(join(folder, app));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), DESK);
    writeFileSync(join(folder, 'plain', 'agent.mjs'), PLAIN);
    writeFileSync(file, JSON.stringify(HOME, null, 2));
    writeFileSync(
      join(folder, 'plain', 'home.evalset.json'),
      JSON.stringify({ eval_set_id: 'home', eval_cases: [{ eval_id: 'hi', conversation: [turn('Hi', 'Hello')] }] }),
    );
    writeFileSync(
      join(folder, 'desk', 'flaky.evalset.json'),
      JSON.stringify({
        eval_set_id: 'flaky',
        eval_cases: [{ eval_id: 'flaky', conversation: [turn('flaky', 'Answer 1')] }],
      }),
    );
    for (const app of ['desk', 'plain']) writeFileSync(join(folder, app, 'test_config.json'), JSON.stringify(CONFIG));
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [toolTrajectory, responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    run = await ran({ app: 'desk', sets: ['home'] });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Performs a complete run. @returns Its id. */
  async function ran(asked: object): Promise<string> {
    const headers = { authorization: `Bearer ${studio.token}` };
    const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: JSON.stringify(asked) });
    const { id } = (await made.json()) as { readonly id: string };
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
    return id;
  }

  async function open(hash: string) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, hasTouch: phone });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      // The browser's message about a request that was rejected on purpose.
      if (!message.text().includes('status of 412')) problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(studio.url)) problems.push(`request: ${request.url()}`);
    });
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/${hash}`);
    await page.waitForSelector('h1:not(.note)');
    await page.waitForLoadState('networkidle');
    await drawn(page);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  const fits = async (page: Page, problems: readonly string[], picture: string) => {
    await drawn(page);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${picture}-${width}.png`) });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(problems).toEqual([]);
  };
  const theCase = (id: string, set = 'home') => `#/runs/${run}/case/${set}/${id}`;
  const saved = () => JSON.parse(readFileSync(file, 'utf8'));

  it('links the steps of a case to the messages, in both directions', async () => {
    await using opened = await open(theCase('talk'));
    const { page, problems } = opened;
    const tab = (name: string) => page.getByRole('tab', { name, exact: true });
    const answer = page.locator('section.side-text.actual').last();
    const row = page.locator('.trace-group').last().locator('.span-row', { hasText: 'scripted' }).last();
    const marked = async () => (await page.locator('.case-view .marked').allInnerTexts()).join();
    const button = answer.getByRole('button', { name: 'Trace of this answer' });
    if (!phone) {
      await button.focus();
      await expect.poll(() => row.getAttribute('class')).toContain('marked');
      await row.focus();
      await expect.poll(marked).toContain(HOSTILE);
      await page.locator('.span-row', { hasText: 'look_up' }).last().hover();
      await expect.poll(marked).toContain('look_up');
    }
    await fits(page, problems, 'trace');
    await button.press('Enter');
    await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.trace-group .note').first().innerText()).toMatch(
      /2 model calls · 1 tool call · 120 tokens in, 15 out/,
    );
    await tab('Graph').click();
    await page.getByText('desk → look_up()').waitFor();
    await fits(page, problems, 'trace-graph');
    await tab('Event').click();
    await page.getByRole('button', { name: 'Show the message' }).click();
    await expect
      .poll(() => page.locator('.side-text:focus').allInnerTexts())
      .toEqual([expect.stringContaining(HOSTILE)]);
    expect(problems).toEqual([]);
  });

  it('explains why there are no times, and lists the steps in order', async () => {
    const plain = await ran({ app: 'plain', sets: ['home'] });
    await using opened = await open(`#/runs/${plain}/case/home/hi`);
    const { page, problems } = opened;
    if (phone) await page.getByRole('tab', { name: 'Trace', exact: true }).click();
    await page.getByText('This agent records no times of its steps').waitFor();
    const rows = page.locator('.trace-group .span-row');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([expect.stringContaining('rootAgent'), expect.stringMatching(/look_up[\s\S]*no time recorded/)]);
    await fits(page, problems, 'untimed');
  });

  it('shows what marks are based on, by pointer, keyboard and touch, for passed ones too', async () => {
    await using opened = await open(theCase('talk'));
    const { page, problems } = opened;
    const card = page.locator('.mark-card');
    const failed = page.locator('.criterion.failed .mark');
    const passed = page.locator('.with-mark .mark').first();
    // The card keeps its place beside the mark, which the remedies move once.
    await page.getByRole('button', { name: 'Accept the answer…', exact: true }).waitFor();
    if (phone) await failed.tap();
    else await failed.hover();
    await card.waitFor();
    expect(await card.innerText()).toMatch(/response_match_score[\s\S]*Turn 2[\s\S]*second floor[\s\S]*Found: a bath/);
    await fits(page, problems, 'mark');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    expect(page.url()).toContain('/case/home/talk');
    await page.mouse.move(0, 0);
    // The key that closed it leaves the focus on the mark.
    await page.locator('#case-title').focus();
    await passed.focus();
    await expect.poll(() => card.innerText()).toMatch(/tool_trajectory_avg_score\s+passed[\s\S]*look_up/);
    await fits(page, problems, 'mark-passed');
    await card.getByRole('button', { name: 'Show turn 1' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('turn-1');
    await page.keyboard.press('Escape');
    await page.locator('.rows .row').first().waitFor();
    // In the grid, move from the case to its scores.
    const row = page.locator('.rows .row', { hasText: 'talk' });
    await row.locator('.case a').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await card.getByText('second').waitFor();
    await fits(page, problems, 'mark-grid');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    if (phone) {
      await row.locator('.score button').first().tap();
      await card.getByRole('button', { name: 'Show only: tool_trajectory_avg_score passed' }).tap();
    } else await row.locator('.score button').first().click();
    await expect.poll(() => page.url()).toContain('criterion=tool_trajectory_avg_score');
    expect(problems).toEqual([]);
  });

  it.skipIf(phone)('keeps the place of what can be done about a failed case while that loads', async () => {
    await using opened = await open(theCase('late'));
    const { page, problems } = opened;
    const turn = page.locator('#turn-1');
    const top = () => turn.evaluate((element) => element.getBoundingClientRect().top);
    const button = page.getByRole('button', { name: 'Add the suggested matcher', exact: true });
    await button.waitFor();
    const then = await top();
    let release = () => {};
    const held = new Promise<void>((settle) => {
      release = settle;
    });
    await page.route('**/reference*', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await button.waitFor();
    await page.getByRole('button', { name: 'Run this case again r', exact: true }).waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await top()).toBe(then);
    release();
    await expect.poll(() => button.isDisabled()).toBe(false);
    expect(await top()).toBe(then);
    expect(problems).toEqual([]);
  });

  it('adds a suggested matcher with one click, undoes it, and runs the case again', async () => {
    writeFileSync(file, JSON.stringify(HOME, null, 2));
    await using opened = await open(theCase('late'));
    const { page, problems } = opened;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByText('Only a date differs.').first().waitFor();
    await fits(page, problems, 'remedies');
    await button('Add the suggested matcher').click();
    const edited = page.getByText('This case has been edited since the run');
    await edited.waitFor();
    const options = { tool_trajectory_avg_score: { matchers: { look_up: { day: { shape: 'date' } } } } };
    const late = () => saved().eval_cases[1];
    expect(late()).toEqual({ ...HOME.eval_cases[1], agent_criteria: options });
    await button('Undo').click();
    await expect.poll(late).toEqual(HOME.eval_cases[1]);
    await edited.waitFor({ state: 'detached' });
    await button('Add the suggested matcher').press('Enter');
    await edited.waitFor();
    await button('Run this case again r').press('Enter');
    await page.getByText('The only case passed.').waitFor();
    expect(saved()).toMatchObject({ mine: { kept: true }, eval_cases: { 1: { other: { kept: 1 } } } });
    expect(problems).toEqual([]);
  });

  it('runs again with one click or key: the whole run, what failed, and one case several times', async () => {
    writeFileSync(file, JSON.stringify(HOME, null, 2));
    const first = await ran({ app: 'desk', sets: ['home'], cases: ['good', 'late', 'talk'] });
    await using opened = await open(`#/runs/${first}`);
    const { page, problems } = opened;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const rows = async () =>
      (await page.locator('.rows .row .case').allInnerTexts()).map((text) => text.split('\n')[0]);
    const nextRun = async (act: () => Promise<void>) => {
      const before = new URL(page.url()).hash.split('/')[2];
      await act();
      await expect.poll(() => new URL(page.url()).hash.split('/')[2]).not.toBe(before);
      // It can be run again once it is over.
      await button('Run again r').waitFor();
    };
    await button('Run what failed (2)').waitFor();
    await fits(page, problems, 'run-again');
    await nextRun(() => page.keyboard.press('r'));
    await expect.poll(rows).toEqual(['late', 'talk', 'good']);
    await nextRun(() => button('Run what failed (2)').click());
    await expect.poll(rows).toEqual(['late', 'talk']);
    await page.locator('.rows .row .case a').first().press('Enter');
    await page.getByLabel('Times', { exact: true }).fill('2');
    await page.locator('#case-title').focus();
    await fits(page, problems, 'case-again');
    await nextRun(() => page.keyboard.press('r'));
    await expect.poll(rows).toEqual(['late']);
    await page.locator('.rows .row .case a').first().press('Enter');
    await expect.poll(() => page.getByLabel('Times', { exact: true }).inputValue()).toBe('2');
    expect(problems).toEqual([]);
  });

  it("accepts the agent's behaviour field by field after a preview, and never overwrites a concurrent edit", async () => {
    writeFileSync(file, JSON.stringify(HOME, null, 2));
    await using opened = await open(theCase('talk'));
    const { page, problems } = opened;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    const bath = () => saved().eval_cases[2].conversation[1];
    await button('Accept the answer…').click();
    expect(await dialog.innerText()).toMatch(/second floor[\s\S]*Found: a bath/);
    await fits(page, problems, 'accept');
    // Somebody else saves in the meantime.
    const theirs = structuredClone(HOME);
    theirs.eval_cases[2]!.conversation[0] = turn('a bed', 'Theirs');
    writeFileSync(file, JSON.stringify(theirs, null, 2));
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has saved this case meanwhile').waitFor();
    expect(bath().final_response.parts).toEqual([{ text: 'There is a bath on the second floor.' }]);
    await fits(page, problems, 'conflict');
    await button('Change theirs').click();
    await expect.poll(() => bath().final_response.parts).toEqual([{ text: found('a bath') }]);
    expect(saved().eval_cases[2].conversation[0].final_response.parts).toEqual([{ text: 'Theirs' }]);
    expect(bath().intermediate_data).toEqual(HOME.eval_cases[2]!.conversation[1]!.intermediate_data);
    await button('Undo').click();
    await expect.poll(() => saved()).toEqual(theirs);
    // Their answer to the first turn is not the actual one either; one of the two is left out.
    await button('Accept the answer…').click();
    await dialog.getByLabel('The answer of turn 1').uncheck();
    await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect.poll(() => bath().final_response.parts).toEqual([{ text: found('a bath') }]);
    expect(saved().eval_cases[2].conversation[0]).toEqual(theirs.eval_cases[2]!.conversation[0]);
    writeFileSync(file, JSON.stringify(HOME, null, 2));
    expect(problems).toEqual([]);
  });

  it('lists the distinct answers of repeats', async () => {
    const flaky = await ran({ app: 'desk', sets: ['flaky'], repeats: 5 });
    await using opened = await open(`#/runs/${flaky}/`);
    const { page, problems } = opened;
    await page.getByText('3/5 passed, 2 answers').waitFor();
    await fits(page, problems, 'repeats-grid');
    await page.locator('.rows .case a').click();
    const fold = page.locator('.repeat-answers');
    expect(await fold.innerText()).toMatch(/3\/5 passed, 2 distinct answers.*3 × “Answer 1” · 2 × “Answer 0”/);
    await fold.locator('summary').click();
    await fold.getByRole('button', { name: 'Failed: show repeat 2' }).click();
    await page.getByRole('tab', { name: 'failed: Repeat 2' }).and(page.locator('[aria-selected="true"]')).waitFor();
    await fits(page, problems, 'repeats');
  });

  it('can show columns for how a conversation begins and ends, and can hide all columns', async () => {
    await using opened = await open(`#/runs/${run}/`);
    const { page, problems } = opened;
    const row = page.locator('.rows .row', { hasText: 'late' });
    expect(await row.locator('.words').count()).toBe(0);
    await page.locator('.column-menu > summary').click();
    await page.getByRole('checkbox', { name: 'First message' }).check();
    await page.getByRole('checkbox', { name: 'Last answer' }).check();
    await expect.poll(() => row.locator('.words').allInnerTexts()).toHaveLength(2);
    const texts = await row.locator('.words > span').allInnerTexts();
    expect(texts).toEqual(['a room', found('a room')]);
    expect(page.url()).toContain('show=input.output');
    // A case without an answer has an empty cell, and only what is shown is searched.
    expect(await page.locator('.rows .row', { hasText: 'broken' }).locator('.words > span').last().innerText()).toBe(
      '–',
    );
    await fits(page, problems, 'texts');
    for (const name of ['tool_trajectory_avg_score', 'response_match_score'])
      await page.getByRole('checkbox', { name }).uncheck();
    await page.keyboard.press('Escape');
    await page.locator('#search').fill('Found: a bath');
    await expect.poll(() => page.locator('.rows .row').count()).toBe(1);
    // Even without any scores, rows have their normal height.
    const box = await page.locator('.rows .row').boundingBox();
    expect(box?.height).toBeLessThan(130);
    await fits(page, problems, 'no-scores');
    await page.reload();
    await expect.poll(() => page.locator('.rows .row .words').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('keeps filter, order and hidden columns in the address and for the next visit, and restores the position', async () => {
    await using opened = await open(`#/runs/${run}/`);
    const { page, problems } = opened;
    const rows = () => page.locator('.rows .row .case a').allInnerTexts();
    await page.getByLabel('Tag').selectOption('smoke');
    await expect.poll(rows).toEqual(['talk', 'good']);
    await page.locator('.column-menu > summary').click();
    await page.getByRole('checkbox', { name: 'tool_trajectory_avg_score' }).uncheck();
    await fits(page, problems, 'columns');
    await page.keyboard.press('Escape');
    expect(await page.locator('.column-menu[open]').count()).toBe(0);
    await page.getByLabel('Order').selectOption('id');
    await expect.poll(rows).toEqual(['good', 'talk']);
    expect(new URL(page.url()).hash).toBe(
      `#/runs/${run}/?tag=smoke&sort=id&hide=tool_trajectory_avg_score&case=home%2Ftalk`,
    );
    await page.goto('about:blank');
    await page.goto(`${studio.url}/#/runs/${run}/`);
    await expect.poll(rows).toEqual(['good', 'talk']);
    expect(await page.locator('.rows .row').first().locator('.score').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
    await page.locator('.column-menu > summary').click();
    await page.getByRole('button', { name: 'Show all columns' }).click();
    // From failure to failure, from turn to turn, and back to the position in the list.
    await page.setViewportSize({ width, height: 360 });
    await page.getByLabel('Order').selectOption('worst');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    // Starting with the case that is open beside the list.
    for (const id of ['talk', 'broken', 'silent', 'silent']) {
      await page.keyboard.press('j');
      await expect.poll(focused).toBe(id);
    }
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await expect.poll(focused).toBe('talk');
    const before = await settledScroll(page);
    const top = () => page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0);
    const topBefore = await top();
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'talk' }).waitFor();
    await page.locator('#turn-1').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('turn-2');
    await page.keyboard.press('p');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('turn-1');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('talk');
    expect(before).toBeGreaterThan(0);
    await settledScroll(page);
    expect(Math.abs((await top()) - topBefore)).toBeLessThan(2);
    await page.locator('.row', { hasText: 'silent' }).getByText('Not evaluated').first().click();
    await expect.poll(rows).toEqual(['silent']);
    expect(page.url()).toContain('verdict=not-evaluated');
    expect(problems).toEqual([]);
  });
});

/** Returns the scroll position once it no longer changes: a list scrolls a frame after the focus has moved. */
async function settledScroll(page: Page): Promise<number> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const now = await page.evaluate(() => scrollY);
      const isSame = now === last;
      last = now;
      return isSame;
    })
    .toBe(true);
  return last;
}

describe.skipIf(executablePath === undefined)("studio's run view with 10,000 cases", () => {
  const CASES = 10_000;
  const folder = mkdtempSync(join(tmpdir(), 'studio-large-'));
  let browser: Browser;
  let studio: RunningStudio;

  beforeAll(async () => {
    mkdirSync(join(folder, 'echo'));
    writeFileSync(join(folder, 'echo', 'agent.mjs'), "export const rootAgent = (message) => 'You said: ' + message;");
    const cases = Array.from({ length: CASES }, (_, at) => ({
      eval_id: `case ${at}`,
      conversation: [
        {
          user_content: { parts: [{ text: `number ${at}` }] },
          final_response: { parts: [{ text: at % 10 === 0 ? 'No' : `You said: number ${at}` }] },
        },
      ],
    }));
    writeFileSync(
      join(folder, 'echo', 'many.evalset.json'),
      JSON.stringify({ eval_set_id: 'many', eval_cases: cases }),
    );
    writeFileSync(
      join(folder, 'echo', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.8 } }),
    );
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('draws only the visible rows, requests the list once, and reads a case when it is opened', async () => {
    const headers = { authorization: `Bearer ${studio.token}` };
    const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: '{"app":"echo"}' });
    const { id } = (await made.json()) as { readonly id: string };
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Performance.enable');
    const asked: string[] = [];
    let bytes = 0;
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname.replace(id, 'RUN'));
    });
    session.on('Network.dataReceived', ({ dataLength }) => {
      bytes += dataLength;
    });
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.POSITIVE_INFINITY;
    };
    const rows = () => page.locator('.rows .row').count();
    await page.goto(`${studio.url}/#/runs/${id}/`);
    await page.getByText('9,000 of 10,000 cases passed.').waitFor();
    await drawn(page);
    // A window of 800 pixels fits 14 rows, with 8 spare ones on each side.
    expect(await rows()).toBeLessThan(40);
    // The list, whether the code has changed, what changed since the run before, and the one case that is open beside
    // the list: the first that failed.
    const parts = ['', '/since', '/view', '/view/many/case%200'].map((part) => `/api/runs/RUN${part}`);
    expect(asked.sort()).toEqual(['/api/apps/echo/code', ...parts]);
    expect(bytes).toBeLessThan(300 * CASES);
    const before = await heap();
    expect(before).toBeLessThan(40 * 1024 * 1024);
    // Scrolling through everything, filtered and unfiltered, causes no more requests.
    for (let step = 1; step <= 20; step += 1) {
      await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), step / 20);
      await drawn(page);
      expect(await rows()).toBeLessThan(40);
    }
    await page.locator('#search').fill('number 9999');
    await expect.poll(rows).toBe(1);
    await page.locator('#search').fill('');
    await page.locator('.chip.failed').click();
    await page.getByText('1,000 of 10,000 cases', { exact: true }).waitFor();
    expect(asked).toHaveLength(1 + parts.length);
    // A case takes one request, plus what its failure needs. The case that was open beside the list is already loaded.
    [asked.length, bytes] = [0, 0];
    await page.locator('.rows .row .case a').nth(1).click();
    await page.locator('.criterion.failed').waitFor();
    await page
      .getByRole('button', { name: 'Accept both…' })
      .or(page.getByRole('button', { name: 'Accept the answer…' }))
      .first()
      .waitFor();
    // The buttons are there before the requests that enable them are answered.
    await expect
      .poll(() => asked.filter((path) => path !== '/api/apps/echo/agent').sort())
      .toEqual([
        '/api/apps/echo/sets/many/cases/case%2010',
        '/api/runs/RUN/view/many/case%2010',
        '/api/runs/RUN/view/many/case%2010/reference',
      ]);
    expect(bytes).toBeLessThan(50_000);
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('j');
    await expect.poll(() => page.locator('h1').innerText()).toBe('case 310');
    expect(await heap()).toBeLessThan(before + 20 * 1024 * 1024);
    await page.close();
  });
});
