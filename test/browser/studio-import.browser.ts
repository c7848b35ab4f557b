import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStudio } from '@agent-criteria/studio';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, drawn, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

const AGENT = 'export function desk(message) { return "You said " + message; }\nexport default desk;\n';

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../packages/convert/src/__fixtures__/${name}`, import.meta.url)), 'utf8');

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px in the dark', width: 390, colorScheme: 'dark' as const },
])('conversations are imported $name', ({ width, colorScheme }) => {
  async function opened(maxImportBytes?: number) {
    const folder = folderOf({ 'desk/agent.mjs': AGENT, 'lamp/agent.mjs': AGENT });
    const studio = await startStudio({
      folder,
      port: 0,
      agentProcesses: false,
      environment: {},
      applyEnvironment: false,
      maxImportBytes,
      settings: { runsFolder: join(folder, '.agent-criteria/runs') },
    });
    onTestFinished(() => studio.close());
    const browser = await chromium.launch({ executablePath: executablePath! });
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const problems: string[] = [];
    await context.route('**', (route) => {
      if (route.request().url().startsWith(`${studio.url}/`)) return route.continue();
      problems.push(`request: ${route.request().url()}`);
      return route.abort();
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(studio.link);
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    return {
      page,
      folder,
      async fits() {
        await drawn(page);
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        expect(problems).toEqual([]);
      },
      picture: (name: string) =>
        process.env.PICTURES === undefined
          ? undefined
          : page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}.png`), fullPage: true }),
    };
  }

  it('from a log that is dropped on the first view, as a run with its labels', async () => {
    const { page, fits, picture } = await opened();
    await drag(page, 'dragenter', []);
    await page.getByText('Drop the file to import its conversations').waitFor();
    await picture('import-drag');
    await drag(page, 'drop', [{ name: 'chat.jsonl', text: fixture('openai-chat.jsonl') }]);
    await page.getByRole('heading', { name: 'chat.jsonl' }).waitFor();
    await page.getByText('message lists, JSON Lines').waitFor();
    await page.getByText('How warm is the kitchen?').waitFor();
    await page.getByText('get_temperature {"room":"kitchen"}').waitFor();
    await page.getByText('arguments of tool calls that are not a JSON object').waitFor();
    // What had the focus is gone with the view before.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('chat.jsonl');
    await fits();
    await picture('import-log');
    await page.getByLabel('Name', { exact: true }).fill('July');
    await page.getByLabel('Who gave the labels').fill('ada');
    await page.getByRole('button', { name: 'Make a run of 3 conversations' }).click();
    await page.getByText('Imported 3 cases as a run.').waitFor();
    await page.getByText('chat-1').first().waitFor();
    await page.getByText('Nothing has been scored yet.').waitFor();
    await page.getByText('Not scored yet.', { exact: true }).waitFor();
    expect(page.url()).toMatch(/#\/runs\/\d{8}-/);
    await fits();
    await picture('import-run');
  });

  it('from a table that is chosen by keyboard, with its columns corrected, as cases', async () => {
    const { page, folder, fits, picture } = await opened();
    const link = page.getByRole('link', { name: 'Import conversations…' });
    await link.focus();
    await page.keyboard.press('Enter');
    const choose = page.getByRole('button', { name: 'Choose a file…' });
    await choose.waitFor();
    // Early, because the browser may take a moment to hand choosers over.
    const choosing = page.waitForEvent('filechooser', { timeout: 60_000 });
    await page.getByText('trajectories of ATIF').waitFor();
    await fits();
    await picture('import-empty');
    await choose.focus();
    await page.keyboard.press('Enter');
    const csv = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(fixture('rows.csv')) };
    await (await choosing).setFiles(csv);
    await page.getByText('rows with columns, CSV').waitFor();
    const conversations = page.getByRole('region', { name: 'Its conversations' });
    await conversations.getByText('Me, of course.').waitFor();
    const answer = page.getByRole('textbox', { name: 'answer', exact: true });
    expect(await answer.inputValue()).toBe('$.answer');
    await fits();
    await picture('import-table');
    await answer.fill('$.nowhere');
    await page.getByText('no record has the column answer at $.nowhere').waitFor();
    expect(await page.getByRole('button', { name: /^Make a run of / }).isDisabled()).toBe(true);
    await picture('import-column');
    await answer.fill('$.topic');
    await conversations.getByText('warmth').waitFor();
    await answer.fill('$.answer');
    await conversations.getByText('Me, of course.').waitFor();

    await page.getByRole('radio', { name: 'A run' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', { name: 'For the agent' }).selectOption('lamp');
    const id = page.getByRole('textbox', { name: 'Id of the new set' });
    expect(await id.inputValue()).toBe('rows');
    await id.fill('no id');
    await page.getByText('Only letters, digits and underscores.').waitFor();
    await id.fill('from_log');
    const make = page.getByRole('button', { name: 'Make 2 cases' });
    await make.waitFor();
    await picture('import-cases');
    await id.press('Enter');
    await page.getByText('Imported 2 cases.').waitFor();
    await page.getByRole('link', { name: 'q2', exact: true }).waitFor();
    const { eval_cases: cases } = JSON.parse(readFileSync(join(folder, 'lamp/from_log.evalset.json'), 'utf8'));
    expect(cases.map((one: { eval_id: string }) => one.eval_id)).toEqual(['q1', 'q2']);
  });

  it('from a broken file only without what cannot be read, and not from several or too large ones', async () => {
    const { page, fits, picture } = await opened(1_000_000);
    const row = (at: number) => JSON.stringify({ id: `c${at}`, question: `Question ${at}`, answer: 'Yes' });
    const text = [row(1), '{"id": "c2", "question":', row(3), row(3)].join('\n');
    await drag(page, 'drop', [{ name: 'broken.jsonl', text }]);
    const mistakes = page.getByRole('alert', { name: 'Mistakes in the file' });
    await mistakes.getByText('broken.jsonl line 2:').waitFor();
    expect(await page.getByRole('button', { name: /^Make a run of / }).isDisabled()).toBe(true);
    await fits();
    await picture('import-broken');
    await page.getByRole('button', { name: 'Leave out what cannot be read' }).click();
    await mistakes.waitFor({ state: 'detached' });
    await page.getByText('records that cannot be read').waitFor();
    await page.getByText('Which conversations').first().click();
    await page.getByRole('checkbox', { name: 'Only the first of those' }).check();
    await page.getByText('Left out: 1 conversation in which the user says the same').waitFor();
    await fits();
    await picture('import-choice');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    const choose = page.getByRole('button', { name: 'Choose a file…' });
    await choose.waitFor();

    await drag(page, 'drop', [{ name: 'picture.png', text: '\u0000PNG' }]);
    await page.getByText(/^picture\.png: this is neither JSON/).waitFor();
    await fits();
    await picture('import-unknown');
    await drag(page, 'drop', [{ name: 'large.csv', text: 'x'.repeat(1_000_001) }]);
    await page.getByText('“large.csv” has 1 MB, and at most 1 MB are accepted here.').waitFor();
    await drag(page, 'drop', [
      { name: 'a.csv', text: 'x' },
      { name: 'b.csv', text: 'x' },
    ]);
    await page.getByText('These are 2 files, and one is imported at a time.').waitFor();
    await picture('import-refused');
  });

  it('with their progress, until that is cancelled', async () => {
    const { page, folder } = await opened();
    const row = (at: number) => JSON.stringify({ id: `c${at}`, question: `Question ${at}`, answer: 'Yes' });
    const text = Array.from({ length: 20_000 }, (_, at) => row(at)).join('\n');
    await drag(page, 'drop', [{ name: 'long.jsonl', text }]);
    const runs = join(folder, '.agent-criteria/runs');
    await page.getByText('The first 5 of 20,000 conversations').waitFor({ timeout: 60_000 });
    // As soon as there is a button for it, which may be gone when a pointer would have reached it.
    await page.evaluate(() => {
      const press = () => {
        const button = [...document.querySelectorAll<HTMLElement>('.import-progress button')].at(-1);
        if (button === undefined) return;
        watch.disconnect();
        button.click();
      };
      const watch = new MutationObserver(press);
      watch.observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole('button', { name: 'Make a run of 20,000 conversations' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Make a run of 20,000' }).isEnabled()).toBe(true);
    await expect.poll(() => (existsSync(runs) ? readdirSync(runs) : [])).toEqual([]);
    await page.goto(`${page.url().split('#')[0]}#/runs`);
    await page.getByText('No runs yet.').waitFor();
  });
});

/** Drags files over the page, or drops them on it. */
async function drag(
  page: Page,
  type: 'dragenter' | 'drop',
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  await page.evaluate(
    (given) => {
      const data = new DataTransfer();
      for (const { name, text } of given.files) data.items.add(new File([text], name));
      if (given.files.length === 0) data.items.add(new File([''], 'dragged'));
      document.body.dispatchEvent(new DragEvent(given.type, { bubbles: true, cancelable: true, dataTransfer: data }));
    },
    { type, files },
  );
}
