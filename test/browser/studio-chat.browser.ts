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
/** Content that must only ever be shown as text: markup, links, styles, requests, control characters. */
const EVIL = [
  '<script>document.title="evil"</script><style>body{display:none}</style>',
  '[a link](javascript:document.title="evil") ![](https://example.com/a.png)',
  '<a href="javascript:document.title=1">x</a><iframe src="https://example.com"></iframe>',
  '\u001b[31mred\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 \u202etxt.exe',
].join(' ');
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An agent that can continue from a given history; its answers include the total number of calls to it. */
const SHOP = `let calls = 0;
export const rootAgent = (message, { history, state }) => {
  calls += 1;
  return 'Answer ' + calls + ' to ' + message + ', after ' + history.length + ', in ' + (state.city ?? 'no city');
};
`;

/**
 * An agent that answers in pieces, reports its steps, and fails on request. It cannot continue from a given history.
 */
const AGENT = `
const said = (author, id, parts, more) => ({ id, author, content: { role: 'model', parts }, ...more });
export const rootAgent = {
  name: 'desk',
  describe: async () => ({ name: 'desk', tools: [{ name: 'look_up' }, { name: 'cancel' }] }),
  async open({ state: given }) {
    const state = { ...given };
    let turn = -1;
    const saved = {};
    return {
      async send(content, { onEvent: on, signal }) {
        turn += 1;
        const [{ text }] = content.parts;
        if (text === 'fail') throw new Error('The quota is used up.');
        if (text === 'wait') {
          on(said('desk', 'first' + turn, [{ text: 'Let me ' }], { partial: true }));
          on(said('desk', 'first' + turn, [{ text: 'see ' }], { partial: true }));
          await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
        }
        if (text === 'evil') {
          const evil = ${JSON.stringify(EVIL)};
          on(said('desk', 'evilcall' + turn, [{ functionCall: { id: 'e', name: evil, args: { [evil]: evil } } }]));
          on(said('desk', 'evilresult' + turn, [{ functionResponse: { id: 'e', name: evil, response: { [evil]: evil } } }]));
          on(said(evil, 'evilanswer' + turn, [{ text: evil }], { actions: { stateDelta: { [evil]: evil }, artifactDelta: {} } }));
          saved[evil] = [{ inlineData: { mimeType: 'text/html', data: Buffer.from(evil).toString('base64') } }];
          return { invocation: { userContent: content, finalResponse: { role: 'model', parts: [{ text: evil }] } } };
        }
        saved['dot.png'] = [{ inlineData: { mimeType: 'image/png', data: '${DOT}' } }];
        (saved['notes.json'] ??= []).push({ inlineData: { mimeType: 'application/json', data: Buffer.from(JSON.stringify({ turn })).toString('base64') } });
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
      artifacts: {
        list: async () => Object.entries(saved).map(([name, all]) => ({ name, versions: [...all.keys()] })),
        load: async (name, version) => saved[name]?.[version] ?? null,
      },
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
    mkdirSync(join(folder, 'shop'));
    writeFileSync(join(folder, 'desk', 'agent.mjs'), AGENT);
    writeFileSync(join(folder, 'shop', 'agent.mjs'), SHOP);
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
    // Nothing may leave this machine, whatever the pages show.
    await context.route('**', (route) => {
      const url = route.request().url();
      if (url.startsWith(`${studio.url}/`) || url.startsWith('data:image/png;base64,')) return route.continue();
      problems.push(`request: ${url}`);
      return route.abort();
    });
    page = await context.newPage();
    page.on('popup', () => problems.push('a window was opened'));
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${studio.url}/`) && !url.startsWith('data:image/png;base64,'))
        problems.push(`request: ${url}`);
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

  it('starts with a given state, from the keyboard', async () => {
    await button('Start with a state…').press('Enter');
    const state = page.getByLabel('State at the beginning');
    await state.fill('[');
    await expect.poll(() => button('Start').isDisabled()).toBe(true);
    await state.fill('{ "city": "Rome" }');
    await fits();
    await button('Start').press('Enter');
    await page.getByLabel('Message to the agent').waitFor();
  });

  it('shows calls, results and the answer as text, whatever they contain', async () => {
    await page.getByLabel('Message to the agent').fill('a room');
    await page.keyboard.press('Enter');
    await page.getByText(`Found: a room ${HOSTILE}`).waitFor();
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    expect(await page.locator('.chat-call', { hasText: /look_up.*→.*12/ }).count()).toBe(1);
    await page.locator('.chat-call summary', { hasText: 'look_up' }).press('Enter');
    await page.getByText('“2026-11-23”').waitFor();
    await fits();
  });

  it('links messages and steps in both directions', async () => {
    const message = page.locator('.chat-entry', { hasText: HOSTILE });
    const row = page.locator('.span-row', { hasText: 'scripted' }).last();
    const trace = message.getByRole('button', { name: 'Trace of this message' });
    const marked = async () => (await page.locator('.chat-entry.marked').allInnerTexts()).join();
    await trace.focus();
    if (!phone) {
      await expect.poll(() => row.getAttribute('class')).toContain('marked');
      await page.locator('.span-row', { hasText: 'look_up' }).hover();
      await expect.poll(marked).toContain('look_up');
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

  it('shows the request and response of a step, and the path through the agent', async () => {
    await page.locator('.span-row', { hasText: 'scripted' }).first().click();
    await tab('Event').press('ArrowRight');
    await page.getByText('asked:').waitFor();
    await tab('Response').click();
    await page.getByText('said:').waitFor();
    await tab('Graph').click();
    await page.getByRole('img', { name: 'tool cancel, not used' }).waitFor();
    await fits();
    await button('List instead of the graph').click();
    expect(await page.locator('.agent-tree li').allInnerTexts()).toEqual([
      expect.stringMatching(/desk\s+step 1/),
      expect.stringMatching(/look_up\s+step 2/),
      expect.stringMatching(/cancel\s+not used/),
    ]);
    expect(await page.locator('.path').innerText()).toBe('Path desk → look_up()');
    await fits();
    await button('Graph instead of the list').click();
    await page.getByRole('button', { name: 'tool look_up, step 2' }).press('Enter');
    await expect
      .poll(() => page.locator('.span-row:focus[aria-expanded="true"]').allInnerTexts())
      .toEqual([expect.stringContaining('look_up')]);
    await tab('State').click();
    await page.getByText('asked:').waitFor();
    expect(await page.getByText('“Rome”').count()).toBe(2);
    if (phone) await tab('Chat').click();
  });

  it('shows why the agent failed', async () => {
    await page.getByLabel('Message to the agent').fill('fail');
    await button('Send').click();
    await page.getByText('The quota is used up.').waitFor();
    await page
      .getByText(/^Stack: agent\.mjs:\d+:\d+$/)
      .first()
      .click();
    await button('Copy stack').waitFor();
    expect(await page.locator('.error-stack').first().innerText()).not.toContain(folder);
    await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
    await fits();
  });

  it('turns the session into a case that can be edited before it is saved', async () => {
    await button('Add to eval set…').click();
    await page.getByLabel('The user says').fill('a large room');
    await expect.poll(() => page.getByLabel('Id of the case').inputValue()).toBe('a_room');
    await page.getByText('Left out, because the agent failed or was stopped there: message 2.').waitFor();
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

  const composer = () => page.getByLabel('Message to the agent');
  const say = async (text: string) => {
    await composer().fill(text);
    await composer().press('Enter');
    await button('Send').waitFor();
  };

  it('sends a message that is written while a session is opened to that session', async () => {
    const sessions = `${studio.url}/api/apps/desk/sessions`;
    let opened = () => {};
    const isOpened = new Promise<void>((resolve) => {
      opened = resolve;
    });
    await page.route(sessions, async (route) => {
      if (route.request().method() === 'POST') await isOpened;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Sessions' }).click();
    await button('New session').click();
    await composer().fill('at once');
    await composer().press('Enter');
    opened();
    await page.getByText(/^Found: at once/).waitFor();
    await button('Send').waitFor();
    await page.unroute(sessions);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: 'at once' }).waitFor();
    expect(await page.locator('.sessions li').count()).toBe(3);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByText('Say something to the agent.').waitFor();
  });

  it('stops an answer from the keyboard, keeps the part received, and continues', async () => {
    await composer().fill('wait');
    await composer().press('Enter');
    await page.getByText('Let me see').waitFor();
    await fits();
    await button('Stop').press('Enter');
    await page.getByText('You stopped the agent here.').waitFor();
    await page.getByText('cut off').waitFor();
    expect(await page.getByText('Let me see').count()).toBe(1);
    await say('a room');
    await page.getByText(`Found: a room ${HOSTILE}`).waitFor();
    await fits();
  });

  it('resends earlier messages only after showing the cost', async () => {
    await say('a hall');
    const before = page.url();
    const edits = page.getByRole('button', { name: 'Edit this message and continue from there' });
    expect(await edits.count()).toBe(3);
    await edits.nth(2).press('Enter');
    const field = page.getByLabel('Another message in its place');
    expect(await field.inputValue()).toBe('a hall');
    await field.press('Escape');
    await expect.poll(() => edits.nth(2).evaluate((element) => element === document.activeElement)).toBe(true);
    await edits.nth(2).press('Enter');
    await field.fill('a garden');
    await fits();
    await field.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Tools run again, with all that they do.').waitFor();
    expect(await dialog.innerText()).toMatch(/cannot go on from an earlier conversation/);
    expect(await dialog.innerText()).toMatch(/2 model calls and 135 tokens/);
    expect(await dialog.innerText()).toMatch(/look_up\s+1 time/);
    await fits();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
    await field.press('Enter');
    await button('Send 3 messages').press('Enter');
    await page.getByText('This continues an earlier session').waitFor();
    // The first message waits forever. Once it is stopped, the messages after it are not sent.
    await page.getByText('Let me see').waitFor();
    await button('Stop').click();
    await page.getByText('2 messages after this one were not sent.').waitFor();
    await fits();
    await page.getByRole('link', { name: 'an earlier session' }).click();
    await page.getByText(`Found: a hall ${HOSTILE}`).waitFor();
  });

  it('shows artifacts, and offers them as files', async () => {
    await tab('Artifacts').click();
    await page.getByText('notes.json').click();
    await page.getByText('turn:').waitFor();
    await expect.poll(() => page.getByLabel('Version').inputValue()).toBe('1');
    await page.getByLabel('Version').selectOption('0');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download notes.json' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('notes.json');
    await page.getByText('dot.png').click();
    const image = page.getByRole('img', { name: 'dot.png' });
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
    await fits();
  });

  it('does not run or load anything that an agent writes', async () => {
    if (phone) await tab('Chat').click();
    await say('evil');
    const answer = page.locator('.of-agent .md', { hasText: '[a link](javascript:' });
    await answer.waitFor();
    for (const fold of await page.locator('.chat-entry details > summary').all()) {
      if ((await fold.locator('..').getAttribute('open')) === null) await fold.click();
    }
    await tab('State').click();
    await tab('Artifacts').click();
    await page.locator('.artifacts summary', { hasText: '<script>' }).click();
    await page.getByText('text/html,').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download <script>/ }).click(),
    ]);
    expect(saved.suggestedFilename()).not.toContain('\u202e');
    const inert = () => {
      const links = [...document.querySelectorAll('a')].map((link) => link.protocol);
      const foreign = document.querySelectorAll('iframe, object, embed, body style, body script, img[src^="http"]');
      return { links: [...new Set(links)], foreign: foreign.length, shown: getComputedStyle(document.body).display };
    };
    expect(await page.evaluate(inert)).toEqual({
      links: ['http:'],
      foreign: 0,
      shown: expect.not.stringMatching('none'),
    });
    expect(await page.title()).not.toContain('evil');
    await fits();
    if (phone) await tab('Chat').click();
  });

  it('continues from any message if the agent supports it, without running anything again', async () => {
    await page.goto(`${studio.url}/#/apps/shop/chat`);
    await button('New session').click();
    await say('one');
    await page.getByText('Answer 1 to one, after 0, in no city').waitFor();
    await tab('State').click();
    await button('Change…').click();
    await page.getByLabel('State from now on').fill('{ "city": "Oslo" }');
    await fits();
    await button('Change it').press('Enter');
    await page.getByText('“Oslo”').first().waitFor();
    if (phone) await tab('Chat').click();
    await page.getByText('State: 1 change').waitFor();
    await say('two');
    await page.getByText('Answer 2 to two, after 1, in Oslo').waitFor();
    await page.getByRole('button', { name: 'Edit this message and continue from there' }).nth(1).click();
    await page.getByLabel('Another message in its place').fill('three');
    await button('Continue from here').click();
    await page.getByText('Answer 3 to three, after 1, in Oslo').waitFor();
    await page.getByText('Answer 1 to one, after 0, in no city').waitFor();
    expect(await page.getByText('Answer 2').count()).toBe(0);
    await fits();
    await page.goBack();
    await page.getByText('Answer 2 to two, after 1, in Oslo').waitFor();
    expect(await page.getByText('three').count()).toBe(0);
  });
});
