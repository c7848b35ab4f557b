import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { startStudio } from '@agent-criteria/studio';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems, sidewaysScroll } from './opened-page.ts';

const executablePath = findChromium(process.env);

const AGENT = 'export const rootAgent = (text) => text;';
const turn = { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hi' }] } };
const SET = { eval_set_id: 'home', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };
const CONFIG = { criteria: { response_match_score: 0.5 } };

async function opened(files: Readonly<Record<string, unknown>>, hash: string) {
  const folder = folderOf(files);
  const studio = await startStudio({
    folder,
    port: 0,
    environment: {},
    applyEnvironment: false,
    settings: { runsFolder: join(folder, 'runs') },
    builtIn: { plugins: [responseMatch] },
  });
  onTestFinished(() => studio.close());
  const browser = await chromium.launch({ executablePath: executablePath! });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
  await page.goto(studio.link);
  await page.goto(`${studio.url}/${hash}`);
  return { folder, page };
}

describe.skipIf(executablePath === undefined)('starting a run in Chromium', () => {
  it('offers every agent of the studio for eval sets that have none', async () => {
    const files = {
      'lamp/agent.mjs': AGENT,
      'lamp/own.evalset.json': SET,
      'sets/home.evalset.json': SET,
      'sets/test_config.json': CONFIG,
    };
    const { page } = await opened(files, '#/apps/sets/sets/home/run');
    const agents = page.getByLabel('Agents', { exact: true });
    await page.getByText('no agent of its own. Choose one of lamp.').waitFor();
    expect(await agents.locator('option').allInnerTexts()).toEqual([
      'Choose one',
      'Only lamp',
      'Several, side by side',
    ]);
    await agents.selectOption({ label: 'Only lamp' });
    await page.getByText('1 case. No judge is asked.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The only case passed.').waitFor();
  });

  it('saves unsaved edits of a case first, by click or key', async () => {
    const files = { 'lamp/agent.mjs': AGENT, 'lamp/home.evalset.json': SET, 'lamp/test_config.json': CONFIG };
    const { folder, page } = await opened(files, '#/apps/lamp/sets/home/cases/a');
    const saved = () => JSON.parse(readFileSync(join(folder, 'lamp/home.evalset.json'), 'utf8')).eval_cases[0].eval_id;
    const id = page.getByLabel('Id', { exact: true });
    await page.getByRole('link', { name: 'Run…', exact: true }).waitFor();
    await id.fill('b');
    await page.getByRole('button', { name: 'Save and run…' }).click();
    await page.getByText('The chosen case').or(page.getByText('The 1 chosen case')).waitFor();
    expect(saved()).toBe('b');
    expect(page.url()).toMatch(/run.*b$/);
    await page.goBack();
    await id.fill('c');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('r');
    await expect.poll(() => page.url()).toMatch(/run.*c$/);
    expect(saved()).toBe('c');
  });
});
