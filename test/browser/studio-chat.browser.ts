import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} Studio's chat was NOT tested in a browser.`);
}

const HOSTILE = '<img src=x onerror=alert(1)>';

/** Answers in pieces, tells its steps, and fails when it is asked to. */
const AGENT = `
const said = (author, id, parts, more) => ({ id, author, content: { role: 'model', parts }, ...more });
export const rootAgent = {
  name: 'desk',
  describe: async () => ({ name: 'desk', tools: [{ name: 'look_up' }, { name: 'cancel' }] }),
  async open({ state: given }) {
    const state = { ...given };
    let turn = -1;
    return {
      async send(content, on) {
        turn += 1;
        const [{ text }] = content.parts;
        if (text === 'fail') throw new Error('The quota is used up.');
        const call = { id: 'c' + turn, name: 'look_up', args: { day: '2026-11-23', what: text } };
        const answer = 'Found: ' + text + ' ${HOSTILE}';
        const at = Date.now();
        on(said('desk', 'call' + turn, [{ functionCall: call }]));
        on(said('desk', 'result' + turn, [{ functionResponse: { id: call.id, name: call.name, response: { rooms: [12] } } }]));
        on(said('desk', 'piece' + turn, [{ text: 'Found: ' }], { partial: true }));
        on(said('desk', 'answer' + turn, [{ text: answer }]));
        state.asked = text;
        const step = (id, kind, name, from, to, more) => ({
          id: id + turn, kind, name, author: 'desk', turn, startedAt: at + from, endedAt: at + to,
          ...(kind === 'agent' ? {} : { parentId: 'a' + turn }), ...more,
        });
        return {
          invocation: { userContent: content, finalResponse: { role: 'model', parts: [{ text: answer }] } },
          trace: [
            step('a', 'agent', 'desk', 0, 40),
            step('m', 'model', 'scripted', 0, 10, { request: { asked: text }, response: { said: 'call' }, usage: { promptTokenCount: 120, candidatesTokenCount: 15 } }),
            step('t', 'tool', 'look_up', 11, 20, { request: call.args, response: { rooms: [12] } }),
            step('n', 'model', 'scripted', 21, 40),
          ],
        };
      },
      state: async () => state,
      close: async () => {},
    };
  },
};
`;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const, phone: false },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const, phone: true },
])("studio's chat $name", ({ width, colorScheme, phone }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chat-'));
  const file = join(folder, 'desk', 'home.evalset.json');
  const problems: string[] = [];
  let browser: Browser;
  let page: Page;
  let studio: Awaited<ReturnType<typeof startStudio>>;

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), AGENT);
    writeFileSync(file, JSON.stringify({ eval_set_id: 'home', mine: 1, eval_cases: [] }));
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    page = await context.newPage();
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(studio.url)) problems.push(`request: ${request.url()}`);
    });
    await page.goto(studio.link);
    await page.goto(`${studio.url}/#/apps/desk/chat`);
  });
  afterAll(async () => {
    await browser.close();
    await studio.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const fits = async () => {
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(problems).toEqual([]);
  };

  it('begins with a given state, from the keyboard', async () => {
    await button('Begin with a state…').press('Enter');
    const state = page.getByLabel('State at the beginning');
    await state.fill('[');
    await expect.poll(() => button('Start').isDisabled()).toBe(true);
    await state.fill('{ "city": "Rome" }');
    await fits();
    await button('Start').press('Enter');
    await page.getByLabel('Message to the agent').waitFor();
  });

  it('shows calls, results and the answer, as text whatever they hold', async () => {
    await page.getByLabel('Message to the agent').fill('a room');
    await page.keyboard.press('Enter');
    await page.getByText(`Found: a room ${HOSTILE}`).waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    expect(await page.getByText(/^call look_up/).count()).toBe(1);
    expect(await page.getByText(/^result look_up/).count()).toBe(1);
    await page.getByText(/^call look_up/).press('Enter');
    await page.getByText('“2026-11-23”').waitFor();
    await fits();
  });

  it('links messages and steps both ways', async () => {
    const message = page.locator('.chat-entry', { hasText: HOSTILE });
    const row = page.locator('.span-row', { hasText: 'scripted' }).last();
    const trace = message.getByRole('button', { name: 'Trace of this message' });
    const marked = async () => (await page.locator('.chat-entry.marked').allInnerTexts()).join();
    await trace.focus();
    if (!phone) {
      await expect.poll(() => row.getAttribute('class')).toContain('marked');
      await page.locator('.span-row', { hasText: 'look_up' }).hover();
      await expect.poll(marked).toContain('result');
      await row.focus();
      await expect.poll(marked).toContain(HOSTILE);
    }
    await trace.press('Enter');
    await page.getByText('invocationId:').waitFor();
    await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.trace-group .note').first().innerText()).toMatch(
      /2 model calls · 1 tool call · 120 tokens in, 15 out/,
    );
    await button('Show the message').click();
    await expect
      .poll(() => page.locator('.chat-entry:focus').allInnerTexts())
      .toEqual([expect.stringContaining(HOSTILE)]);
    if (phone) await tab('Trace').click();
    await fits();
  });

  it('has what a step was asked and answered, and the way through the agent', async () => {
    await page.locator('.span-row', { hasText: 'scripted' }).first().click();
    await tab('Event').press('ArrowRight');
    await page.getByText('asked:').waitFor();
    await tab('Response').click();
    await page.getByText('said:').waitFor();
    await tab('Graph').click();
    expect(await page.locator('.agent-tree li').allInnerTexts()).toEqual([
      expect.stringMatching(/desk\s+step 1/),
      expect.stringMatching(/look_up\s+step 2/),
      expect.stringMatching(/cancel\s+not used/),
    ]);
    expect(await page.locator('.path').innerText()).toBe('Path desk → look_up()');
    await fits();
    await tab('State').click();
    await page.getByText('asked:').waitFor();
    expect(await page.getByText('“Rome”').count()).toBe(2);
    if (phone) await tab('Chat').click();
  });

  it('says what made the agent fail', async () => {
    await page.getByLabel('Message to the agent').fill('fail');
    await button('Send').click();
    await page.getByText('The quota is used up.').waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    await fits();
  });

  it('turns the session into a case, edited before it is saved', async () => {
    await button('Add to eval set…').click();
    await page.getByLabel('The user says').fill('a large room');
    await expect.poll(() => page.getByLabel('Id of the case').inputValue()).toBe('a_room');
    await page.getByText('Left out, because the agent failed there: message 2.').waitFor();
    await page.getByLabel('look_up', { exact: true }).fill('{ "day": "2026-11-23" }');
    await page.getByLabel('Expected answer').fill('');
    await page.getByLabel('Tags').fill('smoke');
    expect(await page.getByRole('checkbox').isChecked()).toBe(true);
    await fits();
    await button('Save the case').press('Enter');
    await page.getByText('Added “a_room” to “home”.').waitFor();
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    expect(saved.mine).toBe(1);
    expect(saved.eval_cases).toMatchObject([
      {
        eval_id: 'a_room',
        conversation: [{ user_content: { parts: [{ text: 'a large room' }] } }],
        session_input: { app_name: 'desk', state: { city: 'Rome' } },
        agent_criteria: {
          tags: ['smoke'],
          tool_trajectory_avg_score: { matchers: { look_up: { day: { shape: 'date' } } } },
        },
      },
    ]);
    expect(JSON.stringify(saved.eval_cases[0])).not.toContain('Found');
  });

  it('starts again with another state, and lists both sessions', async () => {
    await button('Restart…').click();
    await page.getByLabel('State at the beginning').fill('{}');
    await button('Start a new session').click();
    await page.getByText('Say something to the agent.').waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: 'a room' }).waitFor();
    expect(await page.locator('.sessions li').count()).toBe(2);
    await fits();
    await page.goBack();
    await page.getByText('Say something to the agent.').waitFor();
  });
});
