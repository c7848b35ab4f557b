import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { renameRun } from '@agent-criteria/project/runs';
import { type RunningStudio, startStudio } from '@agent-criteria/studio';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);
if (executablePath === undefined) {
  const words = 'No Chromium was found. Install one, or set CHROMIUM_PATH.';
  if (process.env.CI) throw new Error(words);
  console.warn(`${words} The run view of studio was NOT tested in a browser.`);
}

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const NAMES = ['greets', 'orders-a-lamp', 'cancels-an-order', 'asks-for-a-person', 'changes-the-address', 'says-bye'];
const HOSTILE = '<img src=x onerror=alert(1)>';
const AGENT = `import { readFileSync } from 'node:fs';
export const rootAgent = (text) =>
  JSON.parse(readFileSync(new URL('right.json', import.meta.url))).includes(text) ? text : 'No idea';
`;

describe.skipIf(executablePath === undefined).each([
  { name: 'at 1280 px', width: 1280, colorScheme: 'light' as const },
  { name: 'at 390 px', width: 390, colorScheme: 'dark' as const },
])("studio's changes since the run before $name", ({ width, colorScheme }) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-since-'));
  const runsFolder = join(folder, 'runs');
  const pictures = process.env.RUN_VIEW_PICTURES;
  const runs: string[] = [];
  let browser: Browser;
  let studio: RunningStudio;

  beforeAll(async () => {
    mkdirSync(join(folder, 'desk'));
    const write = (name: string, text: string) => writeFileSync(join(folder, 'desk', name), text);
    write('agent.mjs', AGENT);
    const evalCases = [...NAMES, HOSTILE].map((id) => ({ eval_id: id, conversation: [turn(id)] }));
    write('home.evalset.json', JSON.stringify({ eval_set_id: 'home', eval_cases: evalCases }));
    write('test_config.json', JSON.stringify({ criteria: { response_match_score: 1 } }));
    studio = await startStudio({
      folder,
      port: 0,
      agentProcesses: false,
      environment: {},
      applyEnvironment: false,
      settings: { runsFolder },
      builtIn: { plugins: [responseMatch] },
    });
    browser = await chromium.launch({ executablePath: executablePath as string });
    const headers = { authorization: `Bearer ${studio.token}` };
    const run = async (right: readonly string[], asked: object = {}) => {
      write('right.json', JSON.stringify(right));
      const body = JSON.stringify({ app: 'desk', ...asked });
      const made = await fetch(`${studio.url}/api/runs`, { method: 'POST', headers, body });
      const { id } = (await made.json()) as { readonly id: string };
      await (await fetch(`${studio.url}/api/runs/${id}/events`, { headers })).text();
      runs.push(id);
      return id;
    };
    renameRun(await run(NAMES.slice(0, 5)), 'shorter prompt', runsFolder);
    // Passed over, because it is of one case.
    await run([], { sets: ['home'], cases: ['greets'] });
    await run([...NAMES.slice(2), HOSTILE]);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists the cases whose verdicts changed, which lead to both answers, and marks older code', async () => {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    const [before = '', chosen = '', now = ''] = runs;
    await page.goto(studio.link);
    await page.waitForSelector('.masthead');
    await page.goto(`${studio.url}/#/runs/${now}`);
    const since = page.locator('.since');
    await since.waitFor();
    const text = (await since.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(before);
    expect(text).toContain('"shorter prompt"');
    expect(text).toContain('now failing greets, orders-a-lamp');
    expect(text).toContain(`now passing says-bye, ${HOSTILE}`);
    expect(await page.locator('.older-code').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    if (pictures) await page.screenshot({ path: join(pictures, `since-${width}.png`) });
    await since.getByRole('link', { name: 'greets' }).click();
    await page.getByText('No idea').first().waitFor();

    appendFileSync(join(folder, 'desk/agent.mjs'), '// another prompt\n');
    await page.goto(`${studio.url}/#/apps/desk/runs`);
    await page.locator('.run-row').first().waitFor();
    await page.reload();
    await page.locator('.run-row .older-code').first().waitFor();
    expect(await page.locator('.run-row .older-code').count()).toBe(3);
    expect(await page.locator('.run-row', { hasText: chosen }).innerText()).toContain('some cases');
    expect(await page.locator('.run-row', { hasText: before }).locator('.run-name').innerText()).toContain(
      'shorter prompt',
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    if (pictures) await page.screenshot({ path: join(pictures, `since-runs-${width}.png`) });
    expect(problems).toEqual([]);
  });
});
