import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { startStudio } from '@agent-criteria/studio';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
const pictures = process.env.RUN_VIEW_PICTURES;

/** An agent with calls and usage, whose answers alternate; "wait" is answered in pieces, once it is let go. */
const agent = (name: string) => `
const said = (text, more) => ({ author: '${name}', content: { role: 'model', parts: [{ text }] }, ...more });
let asked = 0;
export const rootAgent = {
  name: '${name}',
  supportsHistory: true,
  async open({ history = [] }) {
    let turns = history.length;
    return {
      id: 'desk',
      async send(content, { onEvent: on, signal } = {}) {
        turns += 1;
        asked += 1;
        const [{ text }] = content.parts;
        const rooms = ['kitchen', 'kitchen and hall'][asked % 2];
        if (globalThis.slow === true) {
          on?.(said('Let me see ', { partial: true }));
          await new Promise((done, fail) => {
            (globalThis.waiting ??= []).push(done);
            signal?.addEventListener('abort', () => fail(signal.reason));
          });
        }
        const answer = '${name} switched off the lights in the ' + rooms + ' for turn ' + turns + '. <img src=x onerror=alert(1)>';
        const at = Date.now();
        return {
          invocation: {
            userContent: content,
            finalResponse: { role: 'model', parts: [{ text: answer }] },
            intermediateData: { toolUses: [{ name: 'switch_off', args: { rooms, text } }], toolResponses: [] },
          },
          trace: [
            { id: 'm' + asked, kind: 'model', name: 'gemini', turn: turns - 1, startedAt: at, endedAt: at + 5,
              usage: { promptTokenCount: 100, candidatesTokenCount: 20 } },
          ],
        };
      },
      state: async () => ({}),
      close: async () => {},
    };
  },
};
`;

const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});
const FILES = {
  'lamp/agent.mjs': agent('lamp'),
  'strict/agent.mjs': agent('strict'),
  'lamp/home.evalset.json': {
    eval_set_id: 'home',
    eval_cases: [
      {
        eval_id: 'kitchen',
        conversation: [
          turn('Good evening', 'Good evening'),
          turn('Switch off the kitchen', 'I switched off the lights in the kitchen.'),
        ],
      },
    ],
  },
  'lamp/test_config.json': { criteria: { response_match_score: 0.9 } },
};

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('a turn, run again $name', ({ width, colorScheme }) => {
  async function opened() {
    const folder = folderOf(FILES);
    const studio = await startStudio({
      folder,
      port: 0,
      agentProcesses: false,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, '.agent-criteria/runs') },
      builtIn: { plugins: [responseMatch] },
    });
    onTestFinished(() => studio.close());
    const browser = await chromium.launch({ executablePath: executablePath! });
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('console', (message) => problems.push(message.text()));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    const headers = { authorization: `Bearer ${studio.token}` };
    const post = async (path: string, body: object) => {
      const response = await fetch(studio.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { readonly id: string };
    };
    return { studio, page, problems, post, headers };
  }

  async function looksGood(page: Page, name: string) {
    await drawn(page);
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, `turns-${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  }

  it('shows the cost first, then the answers of two agents as they arrive, and keeps them across a reload', async () => {
    const { page, problems, post, studio } = await opened();
    const { id } = await post('/api/apps/lamp/sessions', { state: {} });
    for (const text of ['Good evening', 'Switch off the kitchen, please']) {
      const newMessage = { role: 'user', parts: [{ text }] };
      await post('/run', { appName: 'lamp', userId: 'user', sessionId: id, newMessage });
    }
    await page.goto(`${studio.url}/#/apps/lamp/chat/${id}`);
    await page.getByRole('button', { name: 'Run again… this turn' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Run this turn again' });
    await dialog.getByText('3 model calls, 360 tokens, cost unknown').waitFor();
    await dialog.getByLabel('Beside it').selectOption('app strict');
    await dialog.getByText('Cost unknown: it has not answered this turn before.').waitFor();
    await looksGood(page, 'dialog');
    (globalThis as { slow?: boolean }).slow = true;
    onTestFinished(() => {
      delete (globalThis as { slow?: boolean }).slow;
      delete (globalThis as { waiting?: unknown }).waiting;
    });
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Let me see').first().waitFor();
    await looksGood(page, 'running');
    // The turn run belongs to the studio.
    await page.reload();
    await page.getByText('Let me see').first().waitFor();
    (globalThis as { slow?: boolean }).slow = false;
    const { waiting = [] } = globalThis as { waiting?: (() => void)[] };
    for (const done of waiting.splice(0)) done();
    await page.getByText('6 of 6 answers by 2 agents').waitFor();
    const cards = page.getByRole('article');
    expect(await cards.count()).toBe(6);
    const own = page.getByRole('region', { name: 'Answers of lamp' });
    await own.getByText('2 distinct answers').waitFor();
    expect(await own.locator('ins').first().innerText()).not.toBe('');
    await looksGood(page, 'answers');
    await own.getByRole('button', { name: /^Open as chat.*Answer 1$/ }).click();
    await page.getByText('This continues an earlier session').waitFor();
    await page.goto(`${studio.url}/#/apps/lamp/chat`);
    await page.getByRole('region', { name: 'Turns, run again' }).getByRole('link').click();
    await page.getByText('6 of 6 answers by 2 agents').waitFor();
    await own.getByRole('button', { name: /^Add to eval set.*Answer 2$/ }).click();
    await page.getByRole('dialog', { name: 'Add to eval set' }).getByLabel('Id of the case').waitFor();
    expect(problems).toEqual([]);
  });

  it('runs a turn of a failed case again, with the scores of its criteria, and can be cancelled', async () => {
    const { page, problems, post, studio, headers } = await opened();
    const { id } = await post('/api/runs', { app: 'lamp', sets: ['home'] });
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
    await page.goto(`${studio.url}/#/runs/${id}/case/home/kitchen`);
    await page.getByRole('button', { name: 'Run this turn again… (turn 2)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this turn again' });
    await dialog.getByLabel('Times').fill('2');
    await dialog.getByText('2 model calls, 240 tokens').waitFor();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('2 of 2 answers').waitFor();
    await page.getByRole('article').first().getByText('response match').waitFor();
    expect(await page.getByRole('article').locator('.badge.failed').count()).toBe(2);
    expect(await page.getByRole('region', { name: 'Expected answer' }).innerText()).toContain('in the kitchen.');
    await looksGood(page, 'scored');
    (globalThis as { slow?: boolean }).slow = true;
    onTestFinished(() => {
      delete (globalThis as { slow?: boolean }).slow;
      delete (globalThis as { waiting?: unknown }).waiting;
    });
    await page.getByRole('button', { name: 'Run it again…' }).click();
    await dialog.getByText('model calls').waitFor();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Let me see').first().waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'kitchen, turn 2' }).click();
    await page.locator('#case-title').waitFor();
    expect(problems).toEqual([]);
  });
});
