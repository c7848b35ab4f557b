import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStudio } from '@agent-criteria/studio';
import { chromium, type Page } from 'playwright-core';
import { builtInCriteria } from '../../packages/cli/src/built-in-criteria.ts';
import { copyAgent, NOTHING } from './copied-agent.ts';
import { findChromium } from './find-chromium.ts';
import { drawn } from './opened-page.ts';

// Takes the pictures for the READMEs from the running studio: `pnpm pictures`. Look at them before committing them.

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'docs', 'pictures');
const LARGEST = 190_000;

const executablePath = findChromium(process.env);
if (executablePath === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.');
const folder = mkdtempSync(join(tmpdir(), 'studio-pictures-'));
copyAgent(join(root, 'examples/home-automation'), join(folder, 'home'), NOTHING);
copyAgent(join(root, 'examples/adk-agent/agent'), join(folder, 'repair_desk'));
mkdirSync(target, { recursive: true });
const studio = await startStudio({
  folder,
  port: 0,
  environment: {},
  applyEnvironment: false,
  settings: { runsFolder: join(folder, 'runs') },
  builtIn: { plugins: builtInCriteria },
});
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(studio.link);
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();

  // An @google/adk agent, with the trace of its answer.
  await page.goto(`${studio.url}/#/apps/repair_desk/chat`);
  await button('New session').click();
  for (const text of ['My toaster is broken, can somebody look at it?', 'Yes please, for Ines.']) {
    await page.getByLabel('Message to the agent').fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: text }).waitFor();
  }
  await page.locator('.trace-group').last().locator('.span-row', { hasText: 'book_slot' }).click();
  await page.getByRole('tab', { name: 'Request', exact: true }).click();
  await page.mouse.move(0, 0);
  await take(page, 'studio-chat');

  // The example's case that fails on purpose.
  await page.goto(`${studio.url}/#/apps/home/sets/home-automation/run`);
  await page.getByText('12 cases. No judge is asked.').waitFor();
  await button('Run').click();
  await page.getByText('11 of 12 cases passed.').waitFor();
  await page.locator('.live').waitFor({ state: 'detached' });
  await take(page, 'studio-run');
  await page.locator('.rows .row .case a').first().click();
  await page.getByRole('heading', { level: 1, name: /^fails_on_purpose/ }).waitFor();
  await page.getByRole('button', { name: 'Accept the answer…', exact: true }).waitFor();
  await take(page, 'studio-case');
} finally {
  await browser.close();
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Takes a picture of the visible part of a page. Times are replaced by fixed ones, so that a picture changes only if
 * the app does.
 */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await drawn(page);
  await page.evaluate((made) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.nodeValue ?? '';
      const next = text
        .replaceAll(made, 'agents')
        .replaceAll(/\b\d+(\.\d+)? m?s\b/g, '12 ms')
        .replaceAll(/[A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d [AP]M/g, 'Nov 23, 2026, 9:00 AM')
        .replaceAll(/\b\d\d:\d\d:\d\d(\.\d{3})?\b/g, '09:00:00')
        .replaceAll(/\b\d{8}-\d{6}-\w{4}\b/g, '20261123-090000-abcd')
        .replaceAll(/\b(adk|agent-criteria|e)-[\da-z]{4,}[\da-z-]*/gi, '$1-1');
      if (next !== text) node.nodeValue = next;
      const isDuration = node.parentElement?.closest('summary')?.textContent?.includes('invocation_duration');
      if (isDuration && /^\d+(\.\d+)?$/.test(text)) node.nodeValue = '0.012';
    }
    for (const scroller of document.querySelectorAll('.messages, .chat-side')) {
      scroller.scrollTop = Math.floor(scroller.scrollTop);
    }
    for (const group of document.querySelectorAll('.trace-group')) {
      const bars = [...group.querySelectorAll<HTMLElement>('.bar-of')];
      for (const [place, bar] of bars.entries()) {
        const [left, right] =
          place === 0 ? [0, 0] : [((place - 1) / bars.length) * 100, 100 - (place / bars.length) * 100];
        Object.assign(bar.style, { left: `${left}%`, right: `${right}%` });
      }
    }
  }, folder);
  await drawn(page);
  const path = join(target, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  if (size > LARGEST) throw new Error(`${path} has ${size} bytes: at most ${LARGEST} are wanted.`);
  console.log(`${name}.png, ${Math.round(size / 1000)} kB`);
}
