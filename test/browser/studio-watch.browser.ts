import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { startStudio } from '@agent-criteria/studio';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
const DISCONNECTED = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

/** An agent that takes no history. */
const agent = (greeting: string) => `const answer = (text) => {
  if (text === 'exit') process.exit(7);
  if (text === 'hang') for (;;) {}
  if (text === 'flood') return 'x'.repeat(40_000_000);
  return text === 'bye' ? 'Goodbye' : '${greeting}';
};
export const rootAgent = {
  name: 'desk',
  async open() {
    return {
      id: 'only',
      async send(content) {
        const finalResponse = { role: 'model', parts: [{ text: answer(content.parts[0].text) }] };
        return { invocation: { userContent: content, finalResponse } };
      },
      state: async () => ({}),
      close: async () => {},
    };
  },
};
`;
const evalCase = (id: string, text: string, answer: string) => ({
  eval_id: id,
  conversation: [{ user_content: { parts: [{ text }] }, final_response: { parts: [{ text: answer }] } }],
});
const evalSet = (farewell = 'Goodbye') => ({
  eval_set_id: 'home',
  eval_cases: [evalCase('greets', 'hi', 'Hello'), evalCase('leaves', 'bye', farewell)],
});

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])('a studio whose agents change $name', ({ width, colorScheme }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath as string });
  });
  afterAll(() => browser?.close());

  async function openPage(link: string) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(45_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('console', (message) => {
      if (!DISCONNECTED.test(message.text())) problems.push(`console: ${message.text()}`);
    });
    await page.goto(link);
    const composer = page.getByLabel('Message to the agent');
    return {
      page,
      composer,
      async newChat(app: string) {
        await page.goto(`${new URL(page.url()).origin}/#/apps/${app}/chat`);
        await page.getByRole('button', { name: 'New session' }).click();
        await composer.waitFor();
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

  async function opened() {
    const folder = folderOf({
      'desk/agent.mjs': agent('Hello'),
      'desk/home.evalset.json': evalSet(),
      'desk/test_config.json': { criteria: { response_match_score: 0.8 } },
      'other/agent.mjs': agent('Here'),
    });
    const studio = await startStudio({
      folder,
      port: 0,
      environment: { PATH: process.env.PATH },
      applyEnvironment: false,
      settings: { runsFolder: join(folder, '.agent-criteria/runs') },
      builtIn: { plugins: [responseMatch] },
    });
    onTestFinished(() => studio.close());
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
    return { studio, write, ...(await openPage(studio.link)) };
  }

  it('says in a chat that files changed, shows a mistake until it is repaired, and says where the agent started over', async () => {
    const { page, write, newChat, say, fits, picture } = await opened();
    await newChat('desk');
    await say('hi');
    await page.getByText('Hello', { exact: true }).waitFor();
    write('desk/agent.mjs', agent('Good day'));
    const notice = page.locator('.code-notice');
    await notice.getByText(/agent\.mjs changed: the next message runs the new code\./).waitFor();
    await fits();
    await picture('changed');
    write('desk/agent.mjs', 'export const rootAgent = () => {\n  const =;\n};\n');
    await notice.getByText('The agent on disk does not load.').waitFor();
    await expect.poll(() => notice.innerText()).toMatch(/agent\.mjs:2/);
    await fits();
    await picture('broken');
    write('desk/agent.mjs', agent('Good day'));
    await notice.getByText('The agent on disk does not load.').waitFor({ state: 'detached' });
    await say('hi');
    await page.getByText('Good day', { exact: true }).waitFor();
    await page.getByText('it started over here').waitFor();
    await expect.poll(() => notice.innerText()).toBe('');
    await fits();
    await picture('started-over');
  });

  it('runs a watched set again when its agent, the set or its config is saved, and changes verdicts in place', async () => {
    const { page, studio, write, fits, picture } = await opened();
    await page.goto(`${studio.url}/#/apps/desk/sets/home`);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const watch = page.getByRole('switch', { name: 'Watch' });
    await watch.waitFor();
    expect(await watch.getAttribute('aria-checked')).toBe('false');
    await fits();
    await picture('watch-off');
    await page.getByLabel('Budget').fill('2.50');
    await watch.click();
    const verdicts = () =>
      page
        .locator('.case-line')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('.badge')?.textContent ?? null));
    await expect.poll(verdicts, { timeout: 45_000 }).toEqual(['Passed', 'Passed']);
    await page.getByText('Waiting for changes.').waitFor();
    await page.getByText('Spent 0 of 2.5.').waitFor();
    write('desk/agent.mjs', agent('Good day'));
    await expect.poll(verdicts, { timeout: 45_000 }).toEqual(['Failed', 'Passed']);
    await page.getByText(/Changed: .*agent\.mjs/).waitFor();
    await fits();
    await picture('watch-on');
    write('desk/home.evalset.json', JSON.stringify(evalSet('See you later')));
    await expect.poll(verdicts, { timeout: 45_000 }).toEqual(['Failed', 'Failed']);
    write('desk/test_config.json', JSON.stringify({ criteria: { response_match_score: 0 } }));
    await expect.poll(verdicts, { timeout: 45_000 }).toEqual(['Passed', 'Passed']);
    expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true);
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByText('--watch').first().waitFor();
    await page.goBack();
    await watch.click();
    await expect.poll(() => watch.getAttribute('aria-checked')).toBe('false');
    await expect.poll(verdicts).toEqual([null, null]);
    await fits();
  });

  it('survives agents that exit, hang or flood, and others still answer', async () => {
    const { page, studio, newChat, say, fits, picture } = await opened();
    await newChat('desk');
    await say('exit');
    await page.getByText(/ended with exit code 7/).waitFor();
    await say('flood');
    await page.getByText(/larger than 32 MB/).waitFor();
    await say('hang');
    await page.getByText('The agent is answering…').waitFor();
    const other = await openPage(studio.link);
    await other.newChat('other');
    await other.say('hi');
    await other.page.getByText('Here', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped the agent here.').waitFor();
    await say('hi');
    await page.getByText('Hello', { exact: true }).waitFor();
    await fits();
    await picture('survived');
  });

  it('keeps an open chat while its server is killed and started again, and sends once what was written meanwhile', async () => {
    const folder = folderOf({
      'desk/agent.mjs': `import { appendFileSync } from 'node:fs';
        export const rootAgent = async (text) => {
          appendFileSync(new URL('./asked.txt', import.meta.url), text + '\\n');
          if (text === 'wait') await new Promise((done) => setTimeout(done, 600_000));
          return 'Answer to ' + text;
        };`,
    });
    mkdirSync(join(folder, '.agent-criteria'));
    const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url));
    const start = async (port: string) => {
      const args = ['--conditions=@agent-criteria/source', bin, 'studio', '.', '--no-open', '--port', port];
      const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const link = await new Promise<string>((settle, fail) => {
        let output = '';
        child.once('exit', () => fail(new Error(`the studio ended: ${output}`)));
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const [found] = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(output) ?? [];
          if (found !== undefined) settle(found);
        });
      });
      return { child, link };
    };
    const first = await start('0');
    const { page, composer, newChat, say, fits, picture } = await openPage(first.link);
    await newChat('desk');
    await say('one');
    await page.getByText('Answer to one').waitFor();
    await say('wait');
    await page.getByText('The agent is answering…').waitFor();
    await expect.poll(() => page.locator('.of-user .said').allInnerTexts()).toEqual(['one', 'wait']);
    first.child.kill('SIGKILL');
    await page.getByText('The studio does not answer.', { exact: true }).waitFor();
    await say('queued');
    await page.getByText('sent once the studio is back').waitFor();
    await composer.fill('not sent yet');
    await fits();
    await picture('queued');
    await start(new URL(first.link).port);
    await page.getByText('The studio does not answer.', { exact: true }).waitFor({ state: 'detached' });
    await page.getByText('Answer to queued').waitFor();
    expect(await composer.inputValue()).toBe('not sent yet');
    await page.getByText('The studio ended before the agent had answered.').waitFor();
    expect(await page.locator('.of-user .said').allInnerTexts()).toEqual(['one', 'wait', 'queued']);
    await page.reload();
    await page.getByText('Answer to queued').waitFor();
    expect(await page.locator('.of-user .said').allInnerTexts()).toEqual(['one', 'wait', 'queued']);
    expect(await composer.inputValue()).toBe('not sent yet');
    await fits();
  });
});
