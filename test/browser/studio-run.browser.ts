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

/** Tells its steps, answers every third time otherwise, and fails when it is asked to. */
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

/** Says what it called, and nothing of when. */
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

  /** A run from beginning to end. @returns Its id. */
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
      // What the browser says of a request that was refused on purpose.
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

  it('ties the steps of a case to what was said, both ways', async () => {
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

  it('says why there are no times, and lists the calls', async () => {
    const plain = await ran({ app: 'plain', sets: ['home'] });
    await using opened = await open(`#/runs/${plain}/case/home/hi`);
    const { page, problems } = opened;
    if (phone) await page.getByRole('tab', { name: 'Trace', exact: true }).click();
    await page.getByText('This agent recorded no timed steps.').waitFor();
    await page.locator('.untimed > summary').click();
    await page.locator('.untimed').getByText('found:').waitFor();
    await fits(page, problems, 'untimed');
  });

  it('shows what marks rest on, by pointer, key and touch, of passed ones too', async () => {
    await using opened = await open(theCase('talk'));
    const { page, problems } = opened;
    const card = page.locator('.mark-card');
    const failed = page.locator('.criterion.failed .mark');
    const passed = page.locator('.with-mark .mark').first();
    if (phone) await failed.tap();
    else await failed.hover();
    await card.waitFor();
    expect(await card.innerText()).toMatch(/response_match_score[\s\S]*Turn 2[\s\S]*second floor[\s\S]*Found: a bath/);
    await fits(page, problems, 'mark');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    expect(page.url()).toContain('/case/home/talk');
    await page.mouse.move(0, 0);
    // The key that closed it leaves the mark where it is.
    await page.locator('#case-title').focus();
    await passed.focus();
    await expect.poll(() => card.innerText()).toMatch(/tool_trajectory_avg_score\s+passed[\s\S]*look_up/);
    await fits(page, problems, 'mark-passed');
    await card.getByRole('button', { name: 'Show turn 1' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('turn-1');
    await page.keyboard.press('Escape');
    await page.locator('.rows .row').first().waitFor();
    // In the grid, from the case to its scores.
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
});
