import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { RunRecord } from '@agent-criteria/results';
import { htmlReport } from '@agent-criteria/viewer';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Writes a report as a command would, and returns its URL. */
export async function writeReport(run: RunRecord, file: string): Promise<string> {
  await pipeline(Readable.from(htmlReport(run)), createWriteStream(file));
  return pathToFileURL(file).href;
}

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

/**
 * A page, with everything that went wrong on it: errors, browser warnings, and requests for anything except the file.
 */
export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly problems: readonly string[];
}

export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  const [file] = address.split('#');
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('popup', () => problems.push('a window was opened'));
  page.on('request', (request) => {
    const url = request.url();
    if (url.split('#')[0] !== file && !url.startsWith('data:image/png;base64,')) problems.push(`request: ${url}`);
  });
  const endWatch = watch(page);
  const close = async () => {
    endWatch();
    await context.close();
  };
  try {
    await page.goto(address);
    await page.waitForSelector('h1');
  } catch (error) {
    await close();
    throw error;
  }
  return { page, problems, [Symbol.asyncDispose]: close };
}

/** The maximum time in milliseconds for which a page may stay busy. */
const PATIENCE = 40_000;

/** Closes a page that hangs, because `evaluate` has no timeout; the pending call then reports why it failed. */
function watch(page: Page): () => void {
  const reason = `The page hangs: it was busy for ${PATIENCE / 1000} s.`;
  let timer: ReturnType<typeof setTimeout>;
  const ask = async () => {
    timer = setTimeout(() => page.context().close({ reason }), PATIENCE);
    // A navigation may interrupt the call.
    await page.evaluate(() => 0).catch(() => {});
    clearTimeout(timer);
    if (!page.isClosed()) timer = setTimeout(ask, 1000);
  };
  timer = setTimeout(ask, 1000);
  return () => clearTimeout(timer);
}

/** Navigates an open page to another of its own addresses, and waits until the new view is drawn. */
export async function lead(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await drawn(page);
}

/** Waits until a page has drawn everything, effects included. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
    }
  });
}

/** Lists axe's findings for WCAG A and AA, in words. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // While a button fades between two states, its contrast does not count.
  await page.evaluate(async () => {
    const fading = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await checker.run(document, { runOnly: tags, resultTypes: ['violations'] });
    // An open card covers what lies below it until it closes, which may be a part of a button.
    const isCovered = (id: string, summary = ''): boolean =>
      id === 'target-size' && summary.includes('partially obscured') && document.querySelector('.mark-card') !== null;
    return violations.flatMap(({ id, nodes }) => {
      const open = nodes.filter(({ failureSummary }) => !isCovered(id, failureSummary));
      if (open.length === 0) return [];
      return [{ id, nodes: open.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`) }];
    });
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

/**
 * Opens every fold on a page, including nested ones; by default not those in the list of all data, which shows
 * everything again.
 */
export async function unfoldAll(page: Page, within = ':not(.raw *)'): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    const opened = await page.evaluate((wanted) => {
      const closed = document.querySelectorAll<HTMLElement>(`details:not([open])${wanted} > summary`);
      for (const summary of closed) summary.click();
      return closed.length;
    }, within);
    if (opened === 0) return;
    // A fold renders its content once it is notified that it is open.
    await page.waitForFunction(() => document.querySelector('details.fold[open]:not(:has(> .inside))') === null);
  }
}

/** Returns how far a page can be scrolled sideways, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
