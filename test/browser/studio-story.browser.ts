import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEvalSet } from '@agent-criteria/project/files';
import { startStudio } from '@agent-criteria/studio';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCriteria } from '../../packages/cli/src/built-in-criteria.ts';
import { allRuns } from '../runs.ts';
import { copyAgent, NOTHING } from './copied-agent.ts';
import { findChromium } from './find-chromium.ts';
import { byKeyboard, byPointer, byTouch, type Hand } from './hand.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

// The complete story, from the first message to a case that passes again. The other features of each view are tested
// with that view.

const root = fileURLToPath(new URL('../..', import.meta.url));
const executablePath = findChromium(process.env);
const hasAdk = existsSync(join(root, 'examples/adk-agent/agent/node_modules/@google/adk'));
if (executablePath === undefined || !hasAdk) {
  const words =
    executablePath === undefined
      ? 'No Chromium was found. Install one, or set CHROMIUM_PATH. The story of studio was NOT tested.'
      : '`pnpm test:adk` installs @google/adk. Until then, the story of studio is NOT tested with an agent of it.';
  if (process.env.CI) throw new Error(words);
  console.warn(words);
}

/** The folder for screenshots, which people look at and Git ignores. */
const pictures = join(import.meta.dirname, 'pictures');

interface Example {
  readonly app: string;
  readonly folder: string;
  readonly question: string;
  readonly answer: string;
  readonly tool: string;
  /** Steps of the trace, of which the first one with an event is opened. Empty if the agent reports none. */
  readonly steps: readonly string[];
  /** The first is tested with every change, and all of them nightly. */
  readonly ways: readonly (keyof typeof WAYS)[];
}

const PANES = [
  ['Request', 'Copy the request'],
  ['Response', 'Copy the response'],
  ['Graph', 'Copy the path'],
  ['Event', 'Copy the event'],
] as const;

const EXAMPLES: readonly Example[] = [
  {
    app: 'home_automation',
    folder: 'examples/home-automation',
    question: 'Which devices are in the Bedroom?',
    answer: 'The Bedroom has device_2, which is off.',
    tool: 'list_devices',
    steps: [],
    ways: ['touch', 'pointer', 'keysOnPhone'],
  },
  {
    app: 'repair_desk',
    folder: 'examples/adk-agent/agent',
    question: 'My toaster is broken, can somebody look at it?',
    answer: 'There is a free place on Saturday 10:00. Shall I book it, and for whom?',
    tool: 'find_slot',
    steps: ['agent repair_desk', 'model scripted-model', 'tool find_slot'],
    ways: ['keys', 'touch', 'pointer'],
  },
];

const WAYS = {
  pointer: { way: 'by pointer at 1280 px', width: 1280, colorScheme: 'light', hand: byPointer },
  touch: { way: 'by touch at 390 px', width: 390, colorScheme: 'dark', hand: byTouch },
  keys: { way: 'by keyboard alone at 1280 px', width: 1280, colorScheme: 'dark', hand: byKeyboard },
  keysOnPhone: { way: 'by keyboard alone at 390 px', width: 390, colorScheme: 'light', hand: byKeyboard },
} as const;

const STORIES = EXAMPLES.filter(({ app }) => hasAdk || app !== 'repair_desk').flatMap((example) =>
  example.ways
    .slice(0, allRuns ? undefined : 1)
    .map((key) => ({ ...WAYS[key], example, name: `${example.app}, ${WAYS[key].way}` })),
);

const FAILING = 'fails_on_purpose_fahrenheit_read_as_celsius';

describe.skipIf(executablePath === undefined)('the story of a case, from the first chat', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await chromium.launch({ executablePath: executablePath as string });
  });
  afterAll(() => browser?.close());

  it.each(STORIES)('$name', { timeout: 240_000 }, async ({ example, width, colorScheme, hand: handOf, way }) => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-story-'));
    for (const { app, folder: from } of EXAMPLES) copyAgent(join(root, from), join(folder, app));
    const studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: builtInCriteria },
    });
    const isPhone = width < 720;
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
      hasTouch: handOf === byTouch,
    });
    try {
      const problems: string[] = [];
      // Nothing leaves this machine, whatever a page requests.
      await context.route('**', (route) => {
        const { hostname, protocol } = new URL(route.request().url());
        if (protocol === 'data:' || hostname === '127.0.0.1') return route.continue();
        problems.push(`request: ${route.request().url()}`);
        return route.abort();
      });
      const page = await context.newPage();
      // The first turn loads the agent with all that it imports, which takes long on a busy machine.
      page.setDefaultTimeout(90_000);
      page.on('console', (message) => problems.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
      page.on('popup', () => problems.push('a window was opened'));
      const hand: Hand = handOf(page);
      const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
      const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
      const dialog = page.getByRole('dialog');
      const title = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
      let step = 0;
      const fits = async (view: string) => {
        await drawn(page);
        step += 1;
        const file = `${example.app}-${way.replaceAll(/\W+/g, '-')}-${String(step).padStart(2, '0')}-${view}.png`;
        await page.screenshot({ path: join(pictures, file) });
        expect([view, await accessibilityProblems(page), await sidewaysScroll(page), problems]).toEqual([
          view,
          [],
          0,
          [],
        ]);
      };
      const { app, question, answer, tool } = example;

      // Chat.
      await page.goto(studio.link);
      await title('Agents');
      await fits('start');
      await hand.press(page.getByRole('main').getByRole('heading', { name: app }).getByRole('link'));
      await title(app);
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Chat', exact: true }));
      await hand.press(button('New session'));
      await hand.write(page.getByLabel('Message to the agent'), question);
      await page.keyboard.press('Enter');
      await page.getByText(answer, { exact: true }).waitFor();
      await page.getByText('The agent is answering…').waitFor({ state: 'detached' });
      await hand.press(page.locator('.chat-call summary', { hasText: tool }));
      await fits('chat');

      // Trace.
      if (isPhone) await hand.press(page.getByRole('tab', { name: 'Trace', exact: true }));
      const rows = page.locator('.trace-group .span-row');
      if (example.steps.length > 0) {
        await rows.first().waitFor();
        const names = (await rows.locator('.span-name').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
        for (const wanted of example.steps) expect(names.join('\n')).toContain(wanted);
        await hand.press(rows.filter({ hasText: tool }).first());
        for (const [pane, copied] of PANES) {
          await hand.press(page.getByRole('tab', { name: pane, exact: true }));
          await button(copied).waitFor();
        }
        expect(await rows.filter({ hasText: tool }).first().locator('.has-event').count()).toBe(1);
        await fits('trace');
        await hand.press(button('Show the message'));
        await expect.poll(() => page.locator('.chat-entry:focus, .chat-call:focus').allInnerTexts()).toHaveLength(1);
      } else await fits('trace');
      if (isPhone) await hand.press(page.getByRole('tab', { name: 'Chat', exact: true }));

      // Save.
      await hand.press(button('Add to eval set…'));
      await hand.write(page.getByLabel('Id of the new set'), 'story');
      await hand.write(page.getByLabel('Id of the case'), 'first');
      await expect.poll(() => page.getByLabel('Expected answer').inputValue()).toBe(answer);
      await fits('add');
      await hand.press(button('Save the case'));
      await page.getByText('Added “first” to “story”.').waitFor();
      await hand.press(button('Open the case'));
      await title('first');

      // Edit the case, so that it expects an answer that the agent does not give.
      await hand.write(page.getByLabel('Expected answer', { exact: true }), 'There is nothing at all.');
      await fits('edit');
      await hand.press(button('Save'));
      await page.getByText('Saved “first”.').waitFor();

      // Run, with a custom threshold.
      await hand.press(link('Run…'));
      await page.getByText('1 case. No judge is asked.').waitFor();
      const threshold = page.getByLabel('Threshold of response_match_score, slider');
      await hand.reach(threshold);
      const before = Number(await threshold.inputValue());
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(async () =>
          Number(await page.getByLabel('Threshold of response_match_score', { exact: true }).inputValue()),
        )
        .toBeGreaterThan(before);
      await fits('run-dialog');
      await hand.press(button('Run'));
      await page.getByText('0 of 1 case passed.').waitFor();
      await fits('failed');

      // Inspect.
      await hand.press(page.locator('.rows .row .case a'));
      await title('first');
      await page.getByText('There is nothing at all.').first().waitFor();
      const mark = page.locator('.criterion.failed .mark').first();
      // The remedies load after the case, and move the mark down.
      await button('Accept the answer…').waitFor();
      await hand.look(mark);
      await page
        .locator('.mark-card')
        .getByText(/response_match_score/)
        .first()
        .waitFor();
      expect(await page.locator('.mark-card').innerText()).toMatch(/failed/i);
      await fits('inspect');
      await page.keyboard.press('Escape');

      // Accept, and run again.
      await hand.press(button('Accept the answer…'));
      expect(await dialog.innerText()).toContain(answer);
      await fits('accept');
      await hand.press(dialog.getByRole('button', { name: 'Save', exact: true }));
      await hand.press(button('Run this case again r'));
      await page.getByText('The only case passed.').waitFor();
      await fits('passed');

      // The history shows both runs, with their criteria.
      if (isPhone) await hand.press(button('Sets'));
      await hand.press(
        page.getByRole('navigation', { name: 'Agents and eval sets' }).getByRole('link', { name: 'All runs' }),
      );
      await expect.poll(() => page.locator('.run-row').count()).toBe(2);
      expect(await page.getByRole('main').innerText()).toMatch(/response_match_score/);
      await fits('history');

      const file = join(folder, app, 'story.evalset.json');
      expect((await loadEvalSet(file)).value.evalCases).toMatchObject([
        { evalId: 'first', conversation: [{ finalResponse: { parts: [{ text: answer }] } }] },
      ]);
      expect(readFileSync(file, 'utf8')).toContain(tool);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(executablePath === undefined)('an eval set', () => {
  it('runs the selected cases, and then those that failed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-story-'));
    copyAgent(join(root, 'examples/home-automation'), join(folder, 'home'), NOTHING);
    const studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: builtInCriteria },
    });
    const browser = await chromium.launch({ executablePath: executablePath as string });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
      const title = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
      await page.goto(studio.link);
      await page.getByRole('main').getByRole('link', { name: 'Home automation', exact: true }).click();
      await link('switch_on_by_id').click();
      await title('switch_on_by_id');
      await page.getByLabel('Expected answer', { exact: true }).first().waitFor();
      await page.goBack();
      await page.getByRole('checkbox', { name: 'Choose switch_on_by_id' }).check();
      await page.getByRole('checkbox', { name: `Choose ${FAILING}` }).check();
      await link('Run 2 cases…').click();
      await page.getByText('2 cases. No judge is asked.').waitFor();
      await page.getByText(/that no case of this set fits/).click();
      expect(await page.locator('.misfits .misfit').first().innerText()).toMatch(/Fits no case: .*\w/);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('1 of 2 cases passed.').waitFor();
      for (const id of ['switch_on_by_id', FAILING]) {
        await page.locator('.rows .row .case').getByRole('link', { name: id, exact: true }).click();
        await title(id);
        await page
          .getByRole('heading', { name: 'Expected', exact: true })
          .or(page.getByText('Expected'))
          .first()
          .waitFor();
        await page.keyboard.press('Escape');
        await page.getByText('1 of 2 cases passed.').waitFor();
      }
      await page.goto(`${studio.url}/#/apps/home/sets/home-automation/run`);
      await page.getByLabel(/did not pass in the last run/).check();
      await page.getByText('1 case. No judge is asked.').waitFor();
    } finally {
      await browser.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
