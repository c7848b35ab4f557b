import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEvalSet } from '@agent-criteria/project/files';
import { listRun } from '@agent-criteria/runner';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInCriteria } from '../../packages/cli/src/built-in-criteria.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});

const SET = {
  eval_set_id: 'home',
  name: 'Home',
  mine: { kept: true },
  eval_cases: [
    { eval_id: 'first', conversation: [turn('Hi', 'You said: Hi')], other: { kept: 1 } },
    {
      eval_id: 'second',
      conversation: [
        {
          ...turn('Lights off', 'You said: Lights off'),
          intermediate_data: {
            tool_uses: [{ id: 'c1', name: 'switch', args: { room: 'hall' } }],
            intermediate_responses: [['lamp', [{ text: 'One moment' }]]],
          },
        },
        turn('Bye', 'You said: Bye'),
      ],
      agent_criteria: { tags: ['smoke'], response_match_score: { language: 'de' } },
    },
    { eval_id: 'third', conversation: [turn('Thanks', 'You said: Thanks')] },
  ],
};

const COMMENTED = `{
  // Pasted from a page.
  "eval_id": "third",
  "conversation": [{ "user": "Thanks a lot", "answer": "You said: Thanks a lot", }], # Python's
}`;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])("studio's editor $name", ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-editor-'));
  const file = join(folder, 'lamp', 'home.evalset.json');
  const problems: string[] = [];
  let browser: Browser;
  let studio: RunningStudio;
  let page: Page;
  beforeAll(async () => {
    mkdirSync(join(folder, 'lamp'));
    writeFileSync(join(folder, 'lamp', 'agent.mjs'), `export const rootAgent = (message) => 'You said: ' + message;`);
    browser = await chromium.launch({ executablePath: executablePath! });
    writeFileSync(file, JSON.stringify(SET));
    studio = await startStudio({
      folder,
      port: 0,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder: join(folder, 'runs') },
      builtIn: { plugins: builtInCriteria },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    writeFileSync(file, JSON.stringify(SET));
    problems.length = 0;
    page = await newPage();
  });
  afterEach(async () => {
    expect(problems).toEqual([]);
    await page.context().close();
  });

  async function newPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const opened = await context.newPage();
    opened.on('console', (message) => {
      // The browser's messages about requests that are rejected on purpose.
      if (!/status of (?:4\d\d)/.test(message.text())) problems.push(message.text());
    });
    opened.on('pageerror', (error) => problems.push(String(error)));
    opened.on('request', (request) => {
      if (!request.url().startsWith(studio.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await opened.goto(studio.link);
    return opened;
  }

  async function open(hash: string, on = page): Promise<void> {
    await on.goto(`${studio.url}/${hash}`);
    await on.waitForSelector('h1:not(.note)');
    await drawn(on);
  }
  const openCase = async (id: string, pane = '', on = page) => {
    await open(`#/apps/lamp/sets/home/cases/${id}${pane}`, on);
    await on.locator('.editor-bar').waitFor();
  };
  const field = (label: string, on = page) => on.getByLabel(label, { exact: true });
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const saved = () => JSON.parse(readFileSync(file, 'utf8'));
  const idsIn = () => saved().eval_cases.map((one: { eval_id: string }) => one.eval_id);
  const fits = async () => {
    await drawn(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  };

  it('has a field for everything in a case, and keeps the JSON in sync', async () => {
    await openCase('second');
    const first = page.getByRole('region', { name: 'Turn 1' });
    const [user, tool] = [field('User').first(), first.getByLabel('Tool', { exact: true })];
    expect([await user.inputValue(), await tool.inputValue()]).toEqual(['Lights off', 'switch']);
    await first.getByLabel('Id of the call').fill('');
    await first.getByLabel('Arguments', { exact: true }).fill('{ "room": "kitchen" }');
    await first.getByLabel('Says', { exact: true }).fill('Soon');
    await first.getByRole('button', { name: 'Add a call' }).click();
    await first.getByLabel('Tool', { exact: true }).last().fill('report');
    await first.getByText('Rubrics, tool results, invocation id').click();
    await first.getByRole('button', { name: 'Add a rubric' }).click();
    await first.getByLabel('What must be true').fill('It is short.');
    await first.getByLabel('Invocation id').fill('i-1');
    await field('Name').fill('The second');
    await field('Tags').fill('smoke, slow');
    await field('User id').fill('ann');
    await field('State at the beginning').fill('{ "city": "Rome" }');
    await field('Expected final state').fill('{ "off": true }');
    await button('Add a stub').click();
    await page.getByRole('list', { name: 'Stubs' }).getByLabel('Tool', { exact: true }).fill('switch');
    await field('Result').fill('{ "done": true }');
    await button('Add a stub').click();
    const stubs = page.getByRole('list', { name: 'Stubs' });
    await stubs.getByLabel('Tool', { exact: true }).last().fill('orders');
    await stubs.getByLabel('To other calls answers').last().selectOption('A model, which plays the tool');
    await field('Data').fill('Order A7 was sent.');
    await page.getByLabel('Tools without a stub').selectOption('error');
    await fits();
    // An incomplete value is not saved, and is reported.
    await field('Expected final state').fill('{ "off"');
    await page.getByText('A field is not JSON yet.').waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    await field('Expected final state').fill('{ "off": false }');
    await page.getByRole('link', { name: 'JSON', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('"invocation_id": "i-1"');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved “second”.').waitFor();
    const [, second] = saved().eval_cases;
    expect(second).toMatchObject({
      name: 'The second',
      session_input: { app_name: 'lamp', user_id: 'ann', state: { city: 'Rome' } },
      final_session_state: { off: false },
      agent_criteria: {
        tags: ['smoke', 'slow'],
        response_match_score: { language: 'de' },
        tool_simulation_configs: [
          { tool_name: 'switch', injection_configs: [{ injected_response: { done: true } }] },
          { tool_name: 'orders', mock_strategy_type: 'MOCK_STRATEGY_TOOL_SPEC' },
        ],
        environment_data: 'Order A7 was sent.',
        unlisted_tools: 'error',
      },
    });
    expect(second.conversation[0]).toEqual({
      ...turn('Lights off', 'You said: Lights off'),
      invocation_id: 'i-1',
      intermediate_data: {
        tool_uses: [
          { name: 'switch', args: { room: 'kitchen' } },
          { name: 'report', args: {} },
        ],
        intermediate_responses: [['lamp', [{ text: 'Soon' }]]],
      },
      rubrics: [{ rubric_id: 'rubric_1', rubric_content: { text_property: 'It is short.' } }],
    });
    expect(saved()).toMatchObject({ mine: { kept: true }, eval_cases: [SET.eval_cases[0], {}, SET.eval_cases[2]] });
    expect((await loadEvalSet(file)).value.evalCases).toHaveLength(3);
  });

  it('deletes a message, an answer and a turn, and undoes each', async () => {
    await openCase('second');
    await button('Delete intermediate answer 1').click();
    await button('Delete tool call 1').click();
    await button('Delete the expected answer of turn 1').click();
    await button('Delete turn 2').click();
    await expect.poll(() => page.locator('.turn-form').count()).toBe(1);
    // The last turn cannot be deleted, and the focus is not lost.
    expect(await button('Delete turn 1').isDisabled()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add a turn');
    await page.getByText('No answer is expected').waitFor();
    for (let step = 0; step < 4; step += 1) await button('Undo').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await field('Says').inputValue()).toBe('One moment');
    expect(await page.locator('.turn-form').count()).toBe(2);
    expect(await button('Undo').isDisabled()).toBe(true);
  });

  it('converts a conversation to a scenario with a persona', async () => {
    await openCase('third');
    await field('A simulated user, by a plan').check();
    expect(await field('Starting prompt').inputValue()).toBe('Thanks');
    await field('Plan').fill('Ask for more.');
    await field('Persona').selectOption('id');
    await field('Id of the persona').fill('NOVICE');
    await fits();
    await button('Save').click();
    await page.getByText('Saved “third”.').waitFor();
    expect(saved().eval_cases[2]).toEqual({
      eval_id: 'third',
      conversation_scenario: {
        starting_prompt: 'Thanks',
        conversation_plan: 'Ask for more.',
        user_persona: 'NOVICE',
      },
    });
  });

  it('accepts pasted JSON with comments, and shows what will happen to them', async () => {
    await openCase('third', '?pane=json');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(COMMENTED);
    await page.getByText('Comments and trailing commas are read here, and not saved').waitFor();
    await fits();
    await button('Save').click();
    await page.getByText('Saved “third”.').waitFor();
    expect(saved().eval_cases[2].conversation[0].user_content.parts).toEqual([{ text: 'Thanks a lot' }]);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{ "eval_id": ');
    await page.getByText(/this is not JSON: .*line 1/).waitFor();
    await page.getByText('Not a case yet').waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    // Before an edit of a file with comments, a warning says that they will be lost.
    writeFileSync(file, `// Ours.\n${JSON.stringify(SET)}`);
    await page.goto('about:blank');
    await openCase('first');
    await page.getByText('The file has comments or trailing commas.').waitFor();
  });

  it('merges the edits that two tabs made to one case, and loses nothing', async () => {
    await openCase('second');
    const other = await newPage();
    await openCase('second', '', other);
    await field('Expected answer', other).last().fill('Theirs');
    await field('Name', other).fill('Their name');
    await button('Save', other).click();
    await other.getByText('Saved “second”.').waitFor();
    await other.context().close();
    await field('Expected answer').first().fill('Mine');
    await field('Name').fill('My name');
    await button('Save').click();
    const conflict = page.locator('.conflict');
    await conflict.waitFor();
    expect(await conflict.innerText()).toMatch(/They changed:[\s\S]*turn 2, expected answer/);
    expect(await conflict.innerText()).toMatch(/You changed:[\s\S]*turn 1, expected answer/);
    expect(saved().eval_cases[1].name).toBe('Their name');
    await fits();
    // Switches to the other version and back: looking changes nothing.
    await button('Take theirs, drop mine').click();
    expect(await field('Name').inputValue()).toBe('Their name');
    await button('Undo').click();
    expect(await field('Name').inputValue()).toBe('My name');
    writeFileSync(file, JSON.stringify(saved()).replace('Their name', 'Another name'));
    await button('Save').click();
    await conflict.waitFor();
    await conflict.getByLabel('Theirs: Another name').check();
    await button('Save both together').click();
    await page.getByText('Saved “second”.').waitFor();
    const [, second] = saved().eval_cases;
    expect(second.name).toBe('Another name');
    expect(second.conversation[0].final_response.parts).toEqual([{ text: 'Mine' }]);
  });

  it('keeps unsaved edits while another view is open, or if the case was deleted elsewhere', async () => {
    await openCase('first');
    await field('Name').fill('Kept');
    await open('#/apps/lamp/sets/home');
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => field('Name').inputValue()).toBe('Kept');
    writeFileSync(file, JSON.stringify({ ...SET, eval_cases: SET.eval_cases.slice(1) }));
    await button('Save').click();
    await button('Add it to the set again').click();
    await page.getByText(/Added “first” again/).waitFor();
    expect(saved().eval_cases.at(-1)).toMatchObject({ eval_id: 'first', name: 'Kept', other: { kept: 1 } });
  });

  it('restores a deleted case to its place, and a deleted set with its file unchanged', async () => {
    const before = readFileSync(file, 'utf8');
    await openCase('second');
    await button('Delete').click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await expect.poll(idsIn).toEqual(['first', 'third']);
    await button('Undo').click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
    if (width < 720) await page.getByRole('button', { name: 'Sets' }).click();
    await button('Rename or delete Home').click();
    await button('Delete…').click();
    await page.getByText('It can be brought back').waitFor();
    await button('Delete the file').click();
    await page.getByRole('heading', { level: 1, name: 'lamp' }).waitFor();
    await button('Undo').click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('can be used with only the keyboard', async () => {
    await openCase('third');
    await field('Expected answer').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('By keys');
    await button('Add a turn').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.turn-form').count()).toBe(2);
    await button('Delete turn 2').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.turn-form').count()).toBe(1);
    // The focus moves one frame later: a key pressed earlier would reach another button.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add a turn');
    await button('Add a call').focus();
    await page.keyboard.press('Enter');
    // The first field of the new element has the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.type('look_up');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved “third”.').waitFor();
    expect(saved().eval_cases[2].conversation).toEqual([
      { ...turn('Thanks', 'By keys'), intermediate_data: { tool_uses: [{ name: 'look_up', args: {} }] } },
    ]);
  });

  it('moves the focus in the same frame as it draws, so that it never takes the focus from where the user has moved', async () => {
    await openCase('third');
    await button('Add a turn').click();
    await expect.poll(() => page.locator('.turn-form').count()).toBe(2);
    /** Returns the focused element as soon as a press has been handled, before another frame is drawn. */
    const focusAfter = (name: string) =>
      page.evaluate((text) => {
        const all = [...document.querySelectorAll('button')];
        const pressed = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === text);
        pressed?.click();
        const { tagName, className } = document.activeElement as HTMLElement;
        return [pressed !== undefined, tagName, className.includes('add')];
      }, name);
    expect(await focusAfter('Delete turn 2')).toEqual([true, 'BUTTON', true]);
    expect(await focusAfter('Add a call')).toEqual([true, 'INPUT', false]);
    expect(await focusAfter('Delete tool call 1')).toEqual([true, 'BUTTON', true]);
  });

  it('lets the user choose a preset, shows what a criterion lacks, and runs several agents side by side', async () => {
    await open('#/apps/lamp/sets/home/run');
    await page.getByText('3 cases. No judge is asked.').waitFor();
    await field('Criteria from').selectOption('correctness');
    await page.getByText('Applications that must be right').waitFor();
    // If the chosen criterion cannot run, advice is shown next to it, and nothing starts.
    await page.locator('.choice.lacking .lack').first().waitFor();
    expect(await page.locator('.choice.lacking').first().innerText()).toMatch(/Cannot run yet:[\s\S]*GEMINI_API_KEY/);
    await expect.poll(() => button('Run').isDisabled()).toBe(true);
    await field('Samples of each judge').fill('3');
    await fits();
    await field('Criteria from').selectOption('config');
    await page.getByText('3 cases. No judge is asked.').waitFor();
    await page.getByText(/criteria that cannot run here yet/).click();
    expect(await page.locator('.misfits .lack').first().innerText()).toMatch(/API_KEY|GOOGLE_CLOUD_PROJECT/);
    await field('Agents').selectOption('own');
    await page.getByLabel('Name', { exact: true }).last().fill('again');
    await field('Sessions at once').fill('2');
    await page.getByText('3 cases by 2 agents. No judge is asked.').waitFor();
    await fits();
    await field('Threshold of response_match_score').fill('0.1');
    await button('Run').click();
    await page.waitForURL(/#\/runs\//);
    const [run = ''] = readdirSync(join(folder, 'runs'));
    await expect.poll(() => listRun(join(folder, 'runs', run))?.summary).toMatchObject({ total: 6 });
    await open('#/apps/lamp/sets/home/run');
    await field('Criteria from').selectOption('last');
    await expect.poll(() => field('Threshold of response_match_score').inputValue()).toBe('0.1');
  });
});
