import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../browser/find-chromium.ts';
import { folderOf } from '../folder.ts';
import { openClient } from './opened-client.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} ADK's web UI was NOT tested.`);
}

const QUESTION = 'Which devices are in the Bedroom?';
const ANSWER = 'The Bedroom has device_2, which is off.';

/** Fields that ADK's client neither displays nor sends back. */
const OWN = {
  rubrics: [{ rubric_id: 'short', rubric_content: { text_property: 'It is short.' } }],
  agent_criteria: { tags: ['smoke'] },
  mine: { kept: [null, 1] },
};

interface Case {
  readonly session_input?: object;
}

/** Creates the example agent, with a set of two of its cases, of a user of their own and of the default one. */
function exampleFolder(): string {
  const folder = join(folderOf({}), 'home_automation');
  const example = fileURLToPath(new URL('../../examples/home-automation', import.meta.url));
  cpSync(example, folder, { recursive: true, filter: (file) => !file.includes('node_modules') });
  const all = read(join(folder, 'home-automation.evalset.json')) as { eval_cases: Case[] };
  rmSync(join(folder, 'home-automation.evalset.json'));
  const [first, second] = all.eval_cases;
  const { session_input: _, ...ofDefaultUser } = second ?? {};
  writeJson(join(folder, 'rooms.evalset.json'), {
    ...all,
    eval_set_id: 'rooms',
    mine: 'kept',
    eval_cases: [{ ...first, ...OWN, session_input: { ...first?.session_input, user_id: 'ines' } }, ofDefaultUser],
  });
  return folder;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, null, 2));
}

describe.skipIf(executablePath === undefined)("ADK's web UI", () => {
  it('chats, creates and edits cases, runs them, and shows results and traces', async () => {
    const folder = exampleFolder();
    const { page, problems, studio } = await openClient(folder, executablePath ?? '');
    const rooms = join(folder, 'rooms.evalset.json');
    const dialog = page.locator('mat-dialog-container');
    const visible = (text: string | RegExp) => page.getByText(text).locator('visible=true').first();
    const icon = (name: string) =>
      page
        .locator('button')
        .filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
        .first();
    // Icons are ligatures: without their font they are words, wider than high.
    const iconsAreGlyphs = async () => {
      await page.evaluate('document.fonts.ready');
      const sizes: { name: string; isGlyph: boolean }[] = await page.evaluate(`
        [...document.querySelectorAll('mat-icon, .material-icons, .material-symbols-outlined')].flatMap((icon) => {
          const range = document.createRange();
          range.selectNodeContents(icon);
          const { width, height } = range.getBoundingClientRect();
          return width === 0 ? [] : [{ name: icon.textContent, isGlyph: width <= height + 1 }];
        })`);
      expect(sizes.length).toBeGreaterThan(10);
      expect(sizes.filter(({ isGlyph }) => !isGlyph)).toEqual([]);
      for (const font of ['Material Icons', 'Material Symbols Outlined']) {
        const loaded = `[...document.fonts].filter(({ family, status }) => family.includes('${font}') && status === 'loaded').length`;
        expect(await page.evaluate(loaded), font).toBe(1);
      }
    };
    const result = (id: string) =>
      page.locator('.eval-container').getByText(id, { exact: true }).locator('visible=true').first();
    const row = (id: string) => page.locator('.eval-case-row').filter({ hasText: id });

    // Chat, and open the trace of the answer.
    const message = page.getByPlaceholder('Type a message...');
    await message.fill(QUESTION);
    await message.press('Enter');
    await page.getByText(ANSWER).first().waitFor();
    await page.getByText('Traces', { exact: true }).click();
    await page.getByText('Total latency').first().waitFor();
    await visible('rootAgent').waitFor();
    await iconsAreGlyphs();
    await page.getByText('Events', { exact: true }).click();

    // Create a set, and save the conversation as a case.
    await page.getByText('Evals', { exact: true }).first().click();
    await page.getByText('rooms', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Eval Set Name').fill('fresh');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('fresh', { exact: true }).first().click();
    await page.getByText('No Eval Cases').waitFor();
    await page.getByRole('button', { name: 'From Current Session' }).click();
    await dialog.locator('input').fill('bedroom');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await row('bedroom').waitFor();
    expect(read(join(folder, 'fresh.evalset.json'))).toMatchObject({
      eval_set_id: 'fresh',
      eval_cases: [
        {
          eval_id: 'bedroom',
          conversation: [
            {
              user_content: { parts: [{ text: QUESTION }] },
              final_response: { parts: [{ text: ANSWER }] },
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(read(join(folder, 'fresh.evalset.json')))).toContain('"list_devices"');

    // Run it after its list of earlier runs was shown, empty.
    await icon('history').click();
    await page.getByText('No Runs', { exact: true }).waitFor();
    await icon('list').click();
    await page.getByRole('button', { name: 'Run All' }).click();
    await dialog.getByText('Response Match', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await visible('1 PASS').waitFor();
    // Criteria that only measure are not counted as failed.
    await visible('2/2').waitFor();

    // An edited case keeps fields that the client does not know.
    const before = read(rooms);
    await icon('home').click();
    await page.getByText('rooms', { exact: true }).click();
    await icon('list').click();
    await row('switch_on_by_id').locator('.edit-btn').click();
    await page.getByText('device_3 is turned on now.').first().waitFor();
    // The client loses text edits (its rows do not propagate them), so a text is deleted instead.
    expect(problems).toEqual([]);
    await page.getByText('delete', { exact: true }).last().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => JSON.stringify(read(rooms))).not.toContain('device_3 is turned on now.');
    // The click also selects the message, which is gone: an error of the client itself.
    expect(problems.splice(0)).toEqual([expect.stringMatching(/^console: .*reading 'event'\)\n +at t\.clickEvent/)]);
    const edited = JSON.stringify(before).replace('{"text":"device_3 is turned on now."}', '');
    expect(read(rooms)).toEqual(JSON.parse(edited));

    // Run both cases, of which the edited one fails.
    await icon('list').click();
    await page.getByRole('button', { name: 'Run All' }).click();
    await dialog.getByText('Response Match', { exact: true }).waitFor();
    const kept = page.waitForResponse(/eval_results\/home_automation_rooms_/);
    await dialog.getByRole('button', { name: 'Start' }).click();
    expect((await kept).status()).toBe(200);
    const files = readdirSync(join(folder, '.adk/eval_history'));
    expect(files).toContainEqual(expect.stringMatching(/^home_automation_rooms_.*\.evalset_result\.json$/));

    // Each case opens, whoever its user is, with its conversation and its trace.
    await visible('1 PASS').waitFor();
    await result('switch_on_by_id').click();
    await visible('device_3 is now turned on.').waitFor();
    await result('switch_off_by_room').click();
    await visible('I have turned off the Living Room device').waitFor();
    await page.getByText('Traces', { exact: true }).click();
    await visible('Total latency').waitFor();
    await visible('invoke_agent').or(visible('home_automation')).first().waitFor();
    await iconsAreGlyphs();

    // They still open when the page is loaded anew.
    await page.goto(`${studio.url}/dev-ui/?app=home_automation`);
    await page.waitForLoadState('networkidle');
    await page.getByText('Evals', { exact: true }).first().click();
    await page.getByText('rooms', { exact: true }).click();
    await icon('history').click();
    await visible(/\d:\d\d [AP]M/).click();
    await result('switch_off_by_room').click();
    // The client remembers that traces were shown last.
    await page.getByText('Events', { exact: true }).click();
    await visible('I have turned off the Living Room device').waitFor();
    expect(problems).toEqual([]);
  });
});
