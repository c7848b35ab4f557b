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

/** An agent that puts the search word in an answer, in a folded result, and at the end of a long text. */
const DESK = `export const rootAgent = (message) => ({
  text: message === 'long' ? 'word '.repeat(3000) + 'and a needle at its end' : 'You said: ' + message,
  toolCalls: [{ name: 'look_up', args: { text: message } }],
  toolResponses: [{ name: 'look_up', response: { place: { inner: 'a folded needle' } } }],
});
`;

const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});

const CASES = [
  {
    eval_id: 'talk',
    conversation: [
      turn('Where is the NEEDLE?', 'You said: Where is a need?'),
      ...Array.from({ length: 8 }, (_, at) => turn(`question ${at}`, `You said: question ${at}`)),
      turn('long', 'short'),
    ],
  },
];

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('search in a conversation $name', ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-search-'));
  const pictures = process.env.SEARCH_PICTURES;
  let browser: Browser;
  let studio: RunningStudio;

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), DESK);
    writeFileSync(
      join(folder, 'desk', 'home.evalset.json'),
      JSON.stringify({ eval_set_id: 'home', eval_cases: CASES }),
    );
    writeFileSync(
      join(folder, 'desk', 'test_config.json'),
      JSON.stringify({ criteria: { response_match_score: 0.9 } }),
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

  async function open(hash: string) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/${hash}`);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the conversation' });
  const status = (page: Page) => page.locator('.transcript-search [role="status"]');
  /** Returns the text marked as the current match, and whether it is visible. */
  const current = (page: Page) =>
    page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('found-here') ?? [])] as Range[];
      const box = range?.getBoundingClientRect();
      const isSeen = box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
      return { text: range?.toString(), around: range?.startContainer.textContent ?? '', isSeen };
    });

  it('highlights and steps through all matches in a case of a run, even in folded or truncated text', async () => {
    const headers = { authorization: `Bearer ${studio.token}` };
    const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body: '{"app":"desk"}' });
    const { id } = (await made.json()) as { readonly id: string };
    await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
    await using opened = await open(`#/runs/${id}/case/home/talk`);
    const { page, problems } = opened;
    await page.locator('#turn-10').waitFor();
    const folds = () => page.locator('#repeat details[open]').count();
    const before = await folds();
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');
    await field(page).fill('needle');
    // The question and the answer that repeats it, the tool's result in each of ten turns, and the end of the long
    // answer.
    const total = async () => Number(/^1 of (\d+)$/.exec(await status(page).innerText())?.[1]);
    await expect.poll(total).toBeGreaterThanOrEqual(13);
    await expect.poll(() => current(page)).toMatchObject({ text: 'NEEDLE', isSeen: true });
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `search-${width}.png`) });
    // No match is half covered by the sticky bar.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    const around: string[] = [];
    for (let step = await total(); step > 0; step -= 1) {
      const now = await current(page);
      expect(now).toMatchObject({ text: expect.stringMatching(/^needle$/i), isSeen: true });
      around.push(now.around);
      await page.keyboard.press('Enter');
      await drawn(page);
    }
    expect(around.some((text) => text.includes('a folded needle'))).toBe(true);
    expect(around.some((text) => text.includes('a needle at its end'))).toBe(true);
    await page.keyboard.press('Shift+Enter');
    await field(page).fill('nothing like it');
    await expect.poll(() => status(page).innerText()).toBe('Nothing found');
    // Folds and the page's keys are restored.
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await drawn(page);
    expect(await folds()).toBe(before);
    expect(await page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)).toBe(0);
    expect(page.url()).toContain('/case/home/talk');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).waitFor();
    expect(problems).toEqual([]);
  });

  it('also works in a chat, including answers that arrive in the meantime', async () => {
    await using opened = await open('#/apps/desk/chat');
    const { page, problems } = opened;
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    const say = async (text: string) => {
      await page.getByLabel('Message to the agent').fill(text);
      await page.keyboard.press('Enter');
      await page.getByText(`You said: ${text}`).waitFor();
    };
    await say('Is it here?');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).fill('needle');
    await expect.poll(() => status(page).innerText()).toBe('1 of 1');
    await expect.poll(() => current(page)).toMatchObject({ text: 'needle', isSeen: true });
    await say('The needle, please');
    await expect.poll(() => status(page).innerText()).toBe('1 of 5');
    await field(page).focus();
    for (const at of [2, 3, 4, 5, 1]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => status(page).innerText()).toBe(`${at} of 5`);
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `search-chat-${width}.png`) });
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');
    expect(problems).toEqual([]);
  });
});
