import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} Rendered answers were NOT tested in a browser.`);
}

/** An answer such as models give, with markup that must stay text and addresses that must not be followed. */
const ANSWER = `# Rooms on Monday

Two rooms are **free**, one is ~~booked~~ *on hold*:

| Room | Floor | Price | What the house says about it, at some length so that the table is wide |
| :--- | ---: | ---: | --- |
| Attic | 4 | 80 € | A quiet room under the roof with a view of the harbour and of the old town behind it |
| Garden | 1 | 95 € | \`breakfast=true\` |

- [x] Looked up the calendar
- [ ] Ask for the name
  1. first
  2. last

> Prices are per night.

\`\`\`ts
const room = await book({ room: 'attic', night: '2026-11-30', breakfast: true, guests: 2, name: 'to be given' });
\`\`\`

See [the house](https://example.com/house), write to desk@example.com.
<img src=x onerror="document.title='evil'"> <b>not bold</b>
![a chart](https://example.com/chart.png) [run](javascript:document.title='evil') [https://bank.example](https://other.example/)`;

const SYSTEM = `You are the **desk** of a small hotel.\n\n${'Be brief, and never promise a room that you have not looked up. '.repeat(40)}`;

/** An agent whose model calls have the form of Gemini for one message, of OpenAI's chat for the others. */
const AGENT = `
const answer = ${JSON.stringify(ANSWER)};
const system = ${JSON.stringify(SYSTEM)};
const schema = { type: 'object', properties: { day: { type: 'string', description: 'A date' } } };
const image = { mimeType: 'image/png', data: 'A'.repeat(4096) };
const gemini = (text) => ({
  model: 'gemini-2.5-flash',
  contents: [
    { role: 'user', parts: [{ text }, { inlineData: image }] },
    { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { day: 'Monday' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { rooms: ['attic'] } } }] },
  ],
  config: {
    systemInstruction: system,
    tools: [{ functionDeclarations: [{ name: 'look_up', description: 'Finds the rooms that are free.', parameters: schema }] }],
    temperature: 0.2,
  },
});
const chat = (text) => ({
  model: 'gpt-5',
  messages: [{ role: 'system', content: 'You are the desk.' }, { role: 'user', content: text }],
  tools: [{ type: 'function', function: { name: 'look_up', description: 'Finds rooms.', parameters: schema } }],
});
export const rootAgent = {
  name: 'desk',
  async open() {
    let turn = -1;
    return {
      id: 'session',
      async send(content, { onEvent: on } = {}) {
        turn += 1;
        const [{ text }] = content.parts;
        const said = text.startsWith('long') ? 'A line with **bold** words and a list.\\n'.repeat(25000) : answer;
        const at = Date.now();
        const final = { role: 'model', parts: [{ text: said }] };
        on?.({ id: 'answer' + turn, author: 'desk', content: final });
        return {
          invocation: { userContent: content, finalResponse: final },
          trace: [
            { id: 'm' + turn, kind: 'model', name: 'scripted', author: 'desk', turn, startedAt: at, endedAt: at + 10,
              request: turn === 0 ? gemini(text) : chat(text),
              response: { content: final, finishReason: 'STOP' } },
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

const HOME = {
  eval_set_id: 'home',
  eval_cases: [
    { eval_id: 'same', conversation: [turn('Which rooms?', ANSWER)] },
    { eval_id: 'other', conversation: [turn('Which rooms?', ANSWER.replace(/> Prices[\s\S]*/, 'Which one?'))] },
  ],
};

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const, phone: false },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const, phone: true },
])('reading in the studio $name', ({ width, colorScheme, phone }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-reading-'));
  const pictures = process.env.READING_PICTURES;
  const problems: string[] = [];
  let browser: Browser;
  let page: Page;
  let studio: RunningStudio;

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), AGENT);
    writeFileSync(join(folder, 'desk', 'home.evalset.json'), JSON.stringify(HOME));
    writeFileSync(
      join(folder, 'desk', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.9 } }),
    );
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      agentProcesses: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    await context.route('**', (route) => {
      const url = route.request().url();
      if (url.startsWith(`${studio.url}/`)) return route.continue();
      problems.push(`request: ${url}`);
      return route.abort();
    });
    page = await context.newPage();
    page.on('popup', () => problems.push('a window was opened'));
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    await page.goto(studio.link);
    await page.goto(`${studio.url}/#/apps/desk/chat`);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Message to the agent').fill('Which rooms are free on Monday?');
    await page.keyboard.press('Enter');
    await page.getByRole('table').first().waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const raw = () => page.getByRole('button', { name: /^Raw text of/ }).first();
  const picture = async (name: string) => {
    if (pictures === undefined) return;
    await drawn(page);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`) });
    }
    await page.emulateMedia({ colorScheme });
  };
  const fits = async () => {
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(problems).toEqual([]);
  };

  it('renders the Markdown of an answer, and keeps its markup as text', async () => {
    const answer = page.locator('.chat-entry .md');
    await answer.waitFor();
    expect(await answer.locator('td').allInnerTexts()).toContain('breakfast=true');
    expect(await answer.locator('strong').allInnerTexts()).toEqual(['free']);
    expect(await answer.locator('del').allInnerTexts()).toEqual(['booked']);
    expect(await answer.getByRole('img').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Done:',
      'Not done:',
    ]);
    expect(await answer.getByRole('heading').count()).toBe(0);
    expect(await answer.locator('img, b, script').count()).toBe(0);
    await answer.getByText(`<img src=x onerror="document.title='evil'"> <b>not bold</b>`).waitFor();
    await answer.getByText('a chart https://example.com/chart.png').waitFor();
    // The addresses of links are text, which cannot be followed.
    expect(await answer.locator('a').count()).toBe(0);
    await answer.getByText('https://example.com/house').waitFor();
    await answer.getByText('https://other.example/').waitFor();
    await answer.getByText("run javascript:document.title='evil'").waitFor();
    await picture('chat');
    await fits();
  });

  it('copies a block of code', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the code' }).press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^const room = [^`]+;$/);
  });

  it('shows the raw text instead, by keyboard, and remembers that', async () => {
    await raw().press('Enter');
    await page.getByText('# Rooms on Monday').waitFor();
    expect(await page.locator('.md').count()).toBe(0);
    await fits();
    await page.reload();
    await page.getByText('# Rooms on Monday').waitFor();
    expect(await raw().getAttribute('aria-pressed')).toBe('true');
    await raw().press('Space');
    await page.locator('.chat-entry .md').waitFor();
  });

  it('marks matches of a search in the raw text', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByLabel('Search the conversation').fill('**free**');
    await page.getByText('1 of 1').waitFor();
    await page.getByLabel('Search the conversation').press('Escape');
    await page.locator('.chat-entry .md').waitFor();
  });

  it('shows what a model was asked as messages, with the instruction and the tools first', async () => {
    if (phone) await tab('Trace').click();
    await page.locator('.span-row', { hasText: 'scripted' }).click();
    await tab('Request').click();
    const view = page.locator('.model-view');
    await view.getByText('Finds the rooms that are free.').waitFor();
    const words = await view.innerText();
    const order = ['gemini-2.5-flash', 'System prompt', 'You are the desk', '1 tool', 'look_up', 'user', 'Settings'];
    const places = order.map((word) => words.indexOf(word));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    await view.getByText('image/png, 3 kB').waitFor();
    await view.getByText(/^call look_up/).waitFor();
    await view.getByText(/^result look_up/).waitFor();
    await view.locator('strong', { hasText: 'desk' }).waitFor();
    await view.scrollIntoViewIfNeeded();
    await picture('request');
    await view.getByText('show all').click();
    await fits();
    await tab('JSON').click();
    await page.getByText('contents:').waitFor();
    await tab('Response').click();
    await tab('Messages').click();
    await page.locator('.model-view table').waitFor();
    await fits();
  });

  it.skipIf(phone)('gives the trace another width by keyboard and pointer, and remembers it', async () => {
    const bar = page.getByRole('separator', { name: 'Width of the conversation' });
    const chat = () => page.locator('.chat').evaluate((one) => one.getBoundingClientRect().width);
    const before = await chat();
    await bar.press('ArrowLeft');
    expect(await bar.getAttribute('aria-valuenow')).toBe('48');
    expect(await chat()).toBeLessThan(before);
    await bar.press('End');
    expect(await bar.getAttribute('aria-valuenow')).toBe(await bar.getAttribute('aria-valuemax'));
    await bar.press('Home');
    expect(await bar.getAttribute('aria-valuenow')).toBe(await bar.getAttribute('aria-valuemin'));
    const box = await bar.boundingBox();
    if (box === null) throw new Error('The splitter is not drawn.');
    await page.mouse.move(box.x + box.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, 300, { steps: 4 });
    await page.mouse.up();
    const dragged = Number(await bar.getAttribute('aria-valuenow'));
    expect(dragged).toBeGreaterThan(40);
    await page.reload();
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe(String(dragged));
    await bar.dblclick();
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('50');
    await fits();
  });

  it.skipIf(phone)('lets the trace fill the screen, until Escape is pressed', async () => {
    const fill = page.getByRole('button', { name: /full screen/i });
    const pane = page.getByRole('region', { name: 'Inside the session' });
    await page.locator('.span-row', { hasText: 'scripted' }).click();
    await tab('Request').click();
    await fill.press('Enter');
    await expect
      .poll(() => pane.evaluate((one) => [one.clientWidth, one.clientHeight]))
      .toEqual([expect.closeTo(width, -2), 800]);
    expect(await page.getByLabel('Message to the agent').isVisible()).toBe(false);
    await picture('filled');
    await fits();
    await page.keyboard.press('Escape');
    await page.getByLabel('Message to the agent').waitFor();
    expect(await fill.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('shows a very long answer as text, and stays usable', async () => {
    if (phone) await tab('Chat').click();
    await page.getByLabel('Message to the agent').fill('long');
    await page.keyboard.press('Enter');
    const last = page.locator('.chat-entry').last();
    await last.getByText('show all').waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    await last.getByText('show all').click();
    await expect
      .poll(() => last.locator('.text').evaluate((one) => one.textContent?.length ?? 0))
      .toBeGreaterThan(900_000);
    if (phone) await tab('Trace').click();
    await page.locator('.span-row', { hasText: 'scripted' }).last().click();
    await tab('Request').last().click();
    await page.getByText('gpt-5').waitFor();
    await page.getByText('You are the desk.').waitFor();
  });

  it('renders the answers of a run, and marks differences in their text', async () => {
    const run = await ran();
    await page.goto(`${studio.url}/#/runs/${run}`);
    if (!phone) {
      const bar = page.getByRole('separator', { name: 'Width of the list' });
      const pane = () => page.locator('.case-pane').evaluate((one) => one.getBoundingClientRect().width);
      const before = await pane();
      await bar.press('ArrowLeft');
      await bar.press('ArrowLeft');
      expect(await pane()).toBeGreaterThan(before);
      await picture('run');
      await fits();
      await bar.dblclick();
      // The card of a mark lies on everything else, so that it can be read and used.
      await page.locator('.case-pane .mark').first().hover();
      const card = page.locator('.mark-card');
      await card.waitFor();
      await picture('card');
      const covered = await card.evaluate((own) => {
        const { left, top, width, height } = own.getBoundingClientRect();
        const steps = Array.from({ length: 9 }, (_, step) => (step + 1) / 10);
        const points = steps.flatMap((x) => steps.map((y) => [left + x * width, top + y * height] as const));
        return points.filter(([x, y]) => !own.contains(document.elementFromPoint(x, y))).length;
      });
      expect(covered).toBe(0);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${studio.url}/#/runs/${run}/case/home/same`);
    await page.locator('.side-text .md td').first().waitFor();
    await picture('case');
    await fits();
    await page.goto(`${studio.url}/#/runs/${run}/case/home/other`);
    const differences = page.getByRole('button', { name: 'Differences' });
    await page.locator('.side-text ins').first().waitFor();
    expect(await page.locator('.side-text .md').count()).toBe(0);
    await differences.press('Enter');
    await page.locator('.expected .md td').first().waitFor();
    await page.locator('.actual .md td').first().waitFor();
    await picture('sides');
    await fits();
  });

  /** Performs a complete run. @returns Its id. */
  async function ran(): Promise<string> {
    const headers = { authorization: `Bearer ${studio.token}` };
    const body = JSON.stringify({ app: 'desk', sets: ['home'] });
    const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { readonly id: string };
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
    return id;
  }
});
