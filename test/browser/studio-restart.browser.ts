import { join } from 'node:path';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

/** An agent that goes on from earlier conversations; the message "wait" is answered in pieces, once it is let go. */
const AGENT = `
const said = (text, more) => ({ author: 'desk', content: { role: 'model', parts: [{ text }] }, ...more });
export const rootAgent = {
  name: 'desk',
  supportsHistory: true,
  async open({ history = [] }) {
    let turns = history.length;
    return {
      async send(content, { onEvent: on, signal }) {
        turns += 1;
        const [{ text }] = content.parts;
        if (text.startsWith('wait')) {
          if (text !== 'wait in silence') on(said('Let me see ', { partial: true }));
          await new Promise((done, fail) => {
            globalThis.letDeskGo = done;
            signal.addEventListener('abort', () => fail(signal.reason));
          });
        }
        on(said('Answer ' + turns + ' to ' + text));
        return { invocation: { userContent: content } };
      },
      state: async () => ({ turns }),
      close: async () => {},
    };
  },
};
`;

const letGo = () => (globalThis as unknown as { letDeskGo(): void }).letDeskGo();

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('an open chat $name', ({ width, colorScheme }) => {
  async function opened() {
    const folder = folderOf({ 'desk/agent.mjs': AGENT });
    const start = (port: number): Promise<RunningStudio> =>
      startStudio({
        folder,
        port,
        agentProcesses: false,
        environment: {},
        applyEnvironment: false,
        settings: { runsFolder: join(folder, '.agent-criteria/runs') },
      });
    let studio = await start(0);
    const { url } = studio;
    onTestFinished(() => studio.close());
    const browser = await chromium.launch({ executablePath: executablePath! });
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('console', (message) => {
      // The browser's words for a studio that does not answer.
      if (!/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(message.text()))
        problems.push(message.text());
    });
    await page.goto(studio.link);
    await page.goto(`${url}/#/apps/desk/chat`);
    await page.getByRole('button', { name: 'New session' }).click();
    const composer = page.getByLabel('Message to the agent');
    await composer.waitFor();
    return {
      page,
      url,
      composer,
      end: () => studio.close(),
      async restart() {
        studio = await start(Number(new URL(url).port));
      },
      async say(text: string) {
        await composer.fill(text);
        await composer.press('Enter');
      },
      async fits() {
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        expect(problems).toEqual([]);
      },
      picture: (name: string) =>
        process.env.PICTURES === undefined
          ? undefined
          : page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}.png`) }),
    };
  }

  it('goes on by itself when the studio is restarted, with what was said and what was typed', async () => {
    const { page, composer, end, restart, say, fits, picture } = await opened();
    await say('one');
    await page.getByText('Answer 1 to one').waitFor();
    await say('wait');
    await page.getByText('Let me see').waitFor();
    await composer.fill('not sent yet');
    await end();
    await page.getByText('The studio does not answer.', { exact: true }).waitFor();
    expect(await composer.inputValue()).toBe('not sent yet');
    await page.getByText('Answer 1 to one').waitFor();
    await fits();
    await picture('lost');
    await restart();
    await page.getByText('The studio does not answer.', { exact: true }).waitFor({ state: 'detached' });
    // The turn ended with the studio, and its message stays.
    await page.getByText('The studio ended before the agent had answered.').waitFor();
    expect(await page.locator('.of-user .said').allInnerTexts()).toEqual(['one', 'wait']);
    expect(await composer.inputValue()).toBe('not sent yet');
    await fits();
    await picture('back');
    await page.reload();
    await page.getByText('Answer 1 to one').waitFor();
    await expect.poll(() => composer.inputValue()).toBe('not sent yet');
    await composer.press('Enter');
    await page.getByText(/^Answer 3 to not sent yet$/).waitFor();
    expect(await composer.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: 'one' }).waitFor();
    await fits();
  });

  it('queues what is sent while the studio is gone, which can be withdrawn, and sends it once', async () => {
    const { page, composer, end, restart, say, fits } = await opened();
    await end();
    await say('hello');
    await page.getByText('The studio does not answer.', { exact: true }).waitFor();
    await say('and');
    await say('never mind');
    const queue = page.getByRole('list', { name: 'Messages to be sent' }).getByRole('listitem');
    await expect.poll(() => queue.count()).toBe(3);
    await queue.filter({ hasText: 'never mind' }).getByRole('button', { name: 'Withdraw' }).click();
    await expect.poll(() => composer.inputValue()).toBe('never mind');
    await restart();
    await page.getByText('The studio does not answer.', { exact: true }).waitFor({ state: 'detached' });
    await page.getByText('Answer 2 to and').waitFor();
    await expect.poll(() => page.locator('.of-user .said').allInnerTexts()).toEqual(['hello', 'and']);
    expect(await composer.inputValue()).toBe('never mind');
    await fits();
  });

  it('follows a turn again after it is reloaded or left, and can stop it', async () => {
    const { page, say, fits, picture } = await opened();
    await say('wait');
    await page.getByText('Let me see').waitFor();
    await page.reload();
    await page.getByText('Let me see').waitFor();
    await page.getByText('The agent is answering…').waitFor();
    expect(await page.locator('.of-user .said').allInnerTexts()).toEqual(['wait']);
    await fits();
    await picture('again');
    letGo();
    await page.getByText('Answer 1 to wait').waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    expect(await page.getByText('You stopped the agent here.').count()).toBe(0);

    // Left for another view, before the agent has said anything.
    await say('wait in silence');
    await page.getByText('The agent is answering…').waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: 'wait' }).click();
    await expect.poll(() => page.locator('.of-user .said').allInnerTexts()).toEqual(['wait', 'wait in silence']);
    await page.reload();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped the agent here.').waitFor();
    expect(await page.locator('.of-user .said').allInnerTexts()).toEqual(['wait', 'wait in silence']);
    await say('two');
    await page.getByText('Answer 3 to two').waitFor();
    await fits();
  });

  it('of a browser without the link is a page in words, which leads nowhere else', async () => {
    const { page, url, picture } = await opened();
    await page.context().clearCookies();
    expect((await page.goto(`${url}/?token=old`))?.status()).toBe(401);
    await page.getByRole('heading', { name: 'This link does not open the studio' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await picture('refused');
  });
});
