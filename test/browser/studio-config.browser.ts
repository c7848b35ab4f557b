import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { startStudio } from '@agent-criteria/studio';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../folder.ts';
import { findChromium } from './find-chromium.ts';
import { accessibilityProblems } from './opened-page.ts';

const executablePath = findChromium(process.env);

const CONFIG = `{
  // As agreed.
  "criteria": { "response_match_score": 0.5 }
}
`;
const turn = { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hi' }] } };

describe.skipIf(executablePath === undefined)('saving a config in Chromium', () => {
  it('can be undone, keeps comments, and offers both versions if somebody else has saved', async () => {
    const folder = folderOf({
      'lamp/agent.mjs': 'export const rootAgent = (text) => text;',
      'lamp/home.evalset.json': { eval_set_id: 'home', eval_cases: [{ eval_id: 'a', conversation: [turn] }] },
      'lamp/test_config.json': CONFIG,
    });
    const file = join(folder, 'lamp/test_config.json');
    const text = () => readFileSync(file, 'utf8');
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
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(studio.link);
    await page.goto(`${studio.url}/#/apps/lamp/sets/home/run`);
    const threshold = page.getByLabel('Threshold of response_match_score', { exact: true });
    const save = page.getByRole('button', { name: 'Save for this set' });
    await threshold.fill('0.7');
    await save.click();
    await page.getByText('Saved in test_config.json').waitFor();
    expect(text()).toBe(CONFIG.replace('0.5', '0.7'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('test_config.json is as it was before.').waitFor();
    expect(text()).toBe(CONFIG);
    await expect.poll(() => threshold.inputValue()).toBe('0.5');

    await threshold.fill('0.6');
    writeFileSync(file, CONFIG.replace('0.5', '0.9'));
    await save.click();
    const conflict = page.getByRole('alert', { name: 'Two versions of the config' });
    await conflict.waitFor();
    expect(await conflict.textContent()).toContain('response_match_score ≥ 0.9');
    expect(await threshold.inputValue()).toBe('0.6');
    expect(await accessibilityProblems(page)).toEqual([]);
    const { PICTURES } = process.env;
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'config-conflict.png'), fullPage: true });
    await conflict.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByText('Saved in test_config.json').waitFor();
    expect(text()).toBe(CONFIG.replace('0.5', '0.6'));
    expect(await conflict.count()).toBe(0);

    await threshold.fill('0.65');
    writeFileSync(file, CONFIG.replace('0.5', '0.8'));
    await save.click();
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    expect(await threshold.inputValue()).toBe('0.8');
    expect(text()).toBe(CONFIG.replace('0.5', '0.8'));
  });
});
